package dev.hangup.it.jdbc;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** Says what an application finds in its naming. Public for the container that makes it. */
public final class LookUpServlet extends HttpServlet {
    static final String NAME = "java:comp/env/jdbc/reports";
    private static final long serialVersionUID = 1L;

    @Override
    @SuppressWarnings("BanJNDI")
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        PrintWriter out = response.getWriter();
        try {
            DataSource source = (DataSource) new InitialContext().lookup(NAME);
            out.println("found " + source);
            out.println("again " + (new InitialContext().lookup(NAME) == source));
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement()) {
                out.println("connection " + connection.getClass().getSimpleName());
                connection.setAutoCommit(false);
                try (ResultSet row = statement.executeQuery("show statement_timeout")) {
                    row.next();
                    out.println("limit " + row.getString(1));
                }
            }
        } catch (NamingException | SQLException e) {
            throw new ServletException(e);
        }
    }
}
