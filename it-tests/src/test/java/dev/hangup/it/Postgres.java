package dev.hangup.it;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.demo.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One real PostgreSQL for all tests of this JVM, started by the first that asks and ended with the JVM. It looks at itself
 * through connections of its own, never through a pool under test.
 */
public final class Postgres {

    private static final int CONNECTIONS = 300;
    private static final Duration POOL_PATIENCE = Duration.ofSeconds(5);

    private static @Nullable Postgres shared;

    private final Database database = Database.start(CONNECTIONS);
    private final DataSource control = database.dataSource();

    private Postgres() {}

    /**
     * The server; the first call takes about 4 s.
     *
     * @throws IllegalStateException in one clear line, if PostgreSQL cannot run here
     */
    public static synchronized Postgres shared() {
        Postgres running = shared;
        if (running == null) {
            running = new Postgres();
            shared = running;
        }
        return running;
    }

    /** A fresh pool of exactly this many connections, for the caller to close; it waits 5 s for a free one. */
    HikariDataSource pool(int size) {
        return database.pool("it", size, POOL_PATIENCE);
    }

    /** As {@link #pool}, but its connections go to this loopback port, where something stands in between; they do not ask for TLS. */
    HikariDataSource poolThrough(int port, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&sslmode=disable");
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(POOL_PATIENCE.toMillis());
        return new HikariDataSource(config);
    }

    int port() {
        return ((PGSimpleDataSource) control).getPortNumbers()[0];
    }

    /** Connections without a pool; a fresh object, for the caller to configure. */
    public DataSource dataSource() {
        return database.dataSource();
    }

    /** Runs a statement in autocommit, for example to create a table. */
    public Postgres execute(String sql) {
        database.execute(sql);
        return this;
    }

    /** How many backends are running a statement whose text holds the marker, a comment for example, right now. */
    public int runningQueries(String marker) {
        return (int) count(
                "select count(*) from pg_stat_activity where state = 'active' and position(? in query) > 0"
                        + " and pid <> pg_backend_pid()",
                marker);
    }

    /** How many backends hold an open transaction, idle or not, other than this look itself. */
    public int openTransactions() {
        return (int) count("select count(*) from pg_stat_activity where xact_start is not null"
                + " and backend_type = 'client backend' and pid <> pg_backend_pid()");
    }

    /** How many committed rows the table has. */
    public long rows(String table) {
        return count("select count(*) from " + table);
    }

    /** The committed values of the column {@code id}. */
    Set<Integer> ids(String table) {
        Set<Integer> ids = new HashSet<>();
        try (Connection connection = control.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select id from " + table)) {
            while (result.next()) {
                ids.add(result.getInt(1));
            }
            return ids;
        } catch (SQLException e) {
            throw new IllegalStateException(table + ": " + e.getMessage(), e);
        }
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
