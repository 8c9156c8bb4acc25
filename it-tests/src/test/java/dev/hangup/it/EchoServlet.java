package dev.hangup.it;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers with the method, the path and the body of the request. */
public final class EchoServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        response.getOutputStream().print(request.getMethod() + " " + request.getRequestURI() + " ");
        request.getInputStream().transferTo(response.getOutputStream());
    }
}
