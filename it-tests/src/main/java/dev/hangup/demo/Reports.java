package dev.hangup.demo;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * An application like any other: it makes a report within a transaction, and neither knows of Hangup nor of the demo's books.
 * The database takes its time for it.
 */
final class Reports extends HttpServlet {
    @Serial
    private static final long serialVersionUID = 1;

    static final String TABLE =
            "create table report (request bigint not null, made timestamptz not null default now())";

    private final transient DataSource dataSource;
    private final double seconds;

    Reports(DataSource dataSource, Duration work) {
        this.dataSource = dataSource;
        this.seconds = Arithmetic.seconds(work);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        long number = Long.parseLong(request.getPathInfo().substring(1));
        try (Connection connection = dataSource.getConnection()) {
            make(connection, number);
            response.setContentType("text/plain");
            response.getWriter().println("report " + number);
        } catch (SQLTransientConnectionException noneFree) {
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        } catch (SQLException failed) {
            response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        }
    }

    private void make(Connection connection, long number) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("insert into report (request) values (?)");
                PreparedStatement select = connection.prepareStatement("select pg_sleep(?)")) {
            insert.setLong(1, number);
            insert.executeUpdate();
            select.setDouble(1, seconds);
            select.executeQuery().close();
            connection.commit();
        } catch (SQLException failed) {
            connection.rollback();
            throw failed;
        }
    }
}
