package dev.hangup.demo;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Where reports are made, each within a transaction. It neither knows of Hangup nor of the demo's books, nor who asks: a servlet or a
 * resource of Jersey's. The database takes its time for it. Any thread.
 */
public final class ReportDesk {
    /** What the database needs. */
    public static final String TABLE =
            "create table report (request bigint not null, made timestamptz not null default now())";

    private final DataSource dataSource;
    private final double seconds;

    /** Hears how far a report is. */
    public interface Progress {
        /** On the thread that makes the report, after each step. */
        void made(int step);
    }

    /** @param work how long one report takes */
    public ReportDesk(DataSource dataSource, Duration work) {
        this.dataSource = dataSource;
        this.seconds = Arithmetic.seconds(work);
    }

    /** Makes a report in one step. */
    public String make(long number) throws SQLException {
        return make(number, 1, step -> {});
    }

    /** Makes a report in so many steps of the same length. */
    public String make(long number, int steps, Progress progress) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("insert into report (request) values (?)");
                    PreparedStatement select = connection.prepareStatement("select pg_sleep(?)")) {
                insert.setLong(1, number);
                insert.executeUpdate();
                for (int step = 1; step <= steps; step++) {
                    select.setDouble(1, seconds / steps);
                    select.executeQuery().close();
                    progress.made(step);
                }
                connection.commit();
            } catch (SQLException | RuntimeException failed) {
                connection.rollback();
                throw failed;
            }
        }
        return "report " + number;
    }
}
