package dev.hangup.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A process of a PostgreSQL server's, told apart from any other on any server.
 *
 * @param startedAt microseconds since the epoch, by the server's clock
 */
record PostgresProcess(int pid, long startedAt, Server server) {
    /** Microseconds, exact in the double precision of old servers, too. */
    static final String STARTED_AT = "(extract(epoch from a.backend_start) * 1000000)::bigint";

    private static final String SERVER = "(extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint,"
            + " coalesce(host(inet_server_addr()), ''), coalesce(inet_server_port(), 0)";

    /** A server as the connections to it see it. */
    record Server(long startedAt, String address, int port) {
        private static Server of(ResultSet row, int from) throws SQLException {
            return new Server(row.getLong(from), row.getString(from + 1), row.getInt(from + 2));
        }

        /** Names the connection for those who look at the server, too. One round trip. */
        static Server of(Connection control) throws SQLException {
            try (Statement statement = control.createStatement();
                    ResultSet row = statement.executeQuery(
                            "select " + SERVER + ", set_config('application_name', 'hangup-control', false)")) {
                row.next();
                return of(row, 1);
            }
        }
    }

    /** The process behind this connection; null if it is not the one that the driver would cancel, as behind a pooler. One round trip. */
    static @Nullable PostgresProcess of(Connection driver, int pid) throws SQLException {
        try (Statement statement = driver.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid(), " + STARTED_AT + ", " + SERVER
                        + " from pg_stat_activity a where a.pid = pg_backend_pid()")) {
            return row.next() && row.getInt(1) == pid
                    ? new PostgresProcess(pid, row.getLong(2), Server.of(row, 3))
                    : null;
        } finally {
            if (!driver.getAutoCommit()) {
                driver.rollback();
            }
        }
    }
}
