package dev.hangup.it;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.CodeSource;

/** Part of a WAR: tells where the class named by the query comes from, as seen by the application. */
@WebServlet("/where")
public final class WhereFromServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            Class<?> type = Class.forName(request.getQueryString());
            CodeSource source = type.getProtectionDomain().getCodeSource();
            response.getWriter().print(source == null ? "unknown" : source.getLocation());
        } catch (ClassNotFoundException e) {
            response.getWriter().print("hidden");
        }
    }
}
