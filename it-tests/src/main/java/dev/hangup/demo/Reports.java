package dev.hangup.demo;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** An application like any other. It neither knows of Hangup nor of the demo's books. */
final class Reports extends HttpServlet {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient ReportDesk desk;

    Reports(ReportDesk desk) {
        this.desk = desk;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        long number = Long.parseLong(request.getPathInfo().substring(1));
        try {
            String report = desk.make(number);
            response.setContentType("text/plain");
            response.getWriter().println(report);
        } catch (SQLTransientConnectionException noneFree) {
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        } catch (SQLException failed) {
            response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        }
    }
}
