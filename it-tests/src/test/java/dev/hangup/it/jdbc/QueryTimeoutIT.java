package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.ConnectionEvent;
import dev.hangup.jdbc.CallCancelledSQLException;
import dev.hangup.jdbc.JdbcOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What databases other than PostgreSQL are told of a call's deadline. Here nothing else ends a statement: nobody watches the clock. */
final class QueryTimeoutIT {
    /** It looks at its timeout every so many rows. */
    private static final String H2_WORK = "select sleep(2) from system_range(1, 1000)";

    private static @Nullable MariaDb mariaDb;

    @TempDir
    private static Path directory;

    @AfterAll
    static void stop() {
        if (mariaDb != null) {
            mariaDb.close();
        }
    }

    private static synchronized @Nullable MariaDb server(Engine engine) throws IOException {
        if (mariaDb == null && engine.needsMariaDb()) {
            mariaDb = MariaDb.start(directory);
        }
        return mariaDb;
    }

    private static Rig rig(Engine engine) throws Exception {
        return rig(engine.open(server(engine)));
    }

    private static Rig rig(DataSource database) {
        return new Rig(database, 1, 8, Duration.ofSeconds(20), JdbcOptions.DEFAULT.withDatabaseDeadline());
    }

    @ParameterizedTest
    @EnumSource
    void endsAStatementAtTheDeadline(Kind kind) throws Exception {
        try (Rig rig = rig(Engine.MARIADB)) {
            CallScope call = rig.begin(Duration.ofSeconds(1), true);
            long start = System.nanoTime();
            try (Connection connection = rig.source.getConnection()) {
                connection.setAutoCommit(kind != Kind.ALONE);
                assertThatThrownBy(() -> kind.run(connection, "select sleep(60)"))
                        .isInstanceOfSatisfying(CallCancelledSQLException.class, e -> {
                            assertThat(e.reason()).isEqualTo(CancelReason.ENDPOINT_DEADLINE);
                            assertThat(e.getCause()).isInstanceOf(SQLTimeoutException.class);
                        });
            } finally {
                Calls.end(call);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
            assertThat(rig.connections).doesNotContain(ConnectionEvent.CANCEL_SENT, ConnectionEvent.EVICTED);
            nextBorrowerFindsNothing(rig);
        }
    }

    /** How it is executed. */
    enum Kind {
        ALONE,
        PLAIN,
        PREPARED;

        void run(Connection connection, String sql) throws SQLException {
            switch (this) {
                case PREPARED -> {
                    try (PreparedStatement statement = connection.prepareStatement(sql)) {
                        statement.execute();
                    }
                }
                default -> {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute(sql);
                    }
                }
            }
        }
    }

    private static void nextBorrowerFindsNothing(Rig rig) throws SQLException {
        try (Connection next = rig.hikari.getConnection();
                Statement statement = next.createStatement();
                ResultSet row = statement.executeQuery("select @@max_statement_time, sleep(1.5)")) {
            row.next();
            assertThat(row.getDouble(1)).isZero();
            assertThat(row.getInt(2)).as("1 if it was interrupted").isZero();
        }
    }

    @Test
    void leavesTheApplicationsTimeoutAlone() throws Exception {
        try (Rig rig = rig(Engine.MARIADB)) {
            CallScope call = rig.begin(Duration.ofSeconds(40), true);
            try (Connection connection = rig.source.getConnection();
                    PreparedStatement statement =
                            connection.prepareStatement("select @@max_statement_time, sleep(?)")) {
                statement.setInt(1, 0);
                assertThat(limit(statement)).isBetween(1., 40.);
                assertThat(statement.getQueryTimeout()).isZero();
                statement.setQueryTimeout(600);
                assertThat(limit(statement)).isBetween(1., 40.);
                assertThat(statement.getQueryTimeout()).isEqualTo(600);
                statement.setQueryTimeout(1);
                assertThat(limit(statement)).isEqualTo(1);
                statement.setInt(1, 60);
                assertThatThrownBy(statement::executeQuery)
                        .as("the application's own timeout is told as it is")
                        .isInstanceOf(SQLTimeoutException.class);
                assertThat(statement.getQueryTimeout()).isEqualTo(1);
                call.detach();
                statement.setQueryTimeout(0);
                statement.setInt(1, 0);
                assertThat(limit(statement)).as("detached").isZero();
            } finally {
                Calls.end(call);
            }
            assertThat(call.isCancelled()).isFalse();
        }
    }

    private static double limit(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getDouble(1);
        }
    }

    /** Their timeouts would stay in the session (H2), or come by the driver's own timer and perhaps too late. */
    @ParameterizedTest
    @EnumSource(
            value = Engine.class,
            names = {"H2", "CONNECTOR_J"})
    void leavesDriversAloneWhoseTimeoutsMayLeak(Engine engine) throws Exception {
        try (Rig rig = rig(engine)) {
            CallScope call = rig.begin(Duration.ofMillis(300), true);
            try (Connection connection = rig.source.getConnection();
                    Statement statement = connection.createStatement()) {
                if (engine == Engine.H2) {
                    statement.execute("create alias if not exists sleep for 'java.lang.Thread.sleep(long)'");
                }
                assertThat(statement
                                .executeQuery(engine == Engine.H2 ? H2_WORK : engine.work(1_500))
                                .next())
                        .isTrue();
            } finally {
                Calls.end(call);
            }
            assertThat(call.isCancelled()).isFalse();
        }
    }
}
