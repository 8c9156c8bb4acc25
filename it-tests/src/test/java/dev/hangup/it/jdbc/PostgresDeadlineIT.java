package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.ConnectionEvent;
import dev.hangup.call.TransactionOutcome;
import dev.hangup.it.Postgres;
import dev.hangup.jdbc.CallCancelledSQLException;
import dev.hangup.jdbc.JdbcOptions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What PostgreSQL is told of a call's deadline. Here nothing else ends a statement: nobody watches the clock. */
final class PostgresDeadlineIT {
    private static final Duration DEADLINE = Duration.ofSeconds(40);

    private final Rig rig = rig(JdbcOptions.DEFAULT.withDatabaseDeadline());

    private static Rig rig(JdbcOptions options) {
        return new Rig(1, 8, Duration.ofSeconds(20), options);
    }

    @AfterEach
    void nextBorrowerFindsNothing() throws SQLException {
        try (rig;
                Connection next = rig.hikari.getConnection()) {
            assertThat(timeout(next)).isEqualTo("0");
            next.setAutoCommit(false);
            assertThat(timeout(next)).isEqualTo("0");
        }
    }

    private interface Work {
        void run(CallScope call, Connection connection, Statement statement) throws SQLException;
    }

    private void inTransaction(Duration deadline, Work work) throws SQLException {
        CallScope call = rig.begin(deadline, true);
        try (Connection connection = rig.source.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            work.run(call, connection, statement);
        } finally {
            Calls.end(call);
        }
    }

    private static String timeout(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show statement_timeout")) {
            row.next();
            return row.getString(1);
        }
    }

    private static long millis(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select setting::bigint from pg_settings where name = 'statement_timeout'")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void assertInForce(CallScope call, Connection connection) throws SQLException {
        long before = call.deadline().remaining().toMillis();
        long slack = Math.min(100, before / 10) + 1;
        assertThat(millis(connection)).isBetween(call.deadline().remaining().toMillis(), before + slack);
    }

    @Test
    void endsAStatementAtTheDeadline() throws SQLException {
        CallScope call = rig.begin(Duration.ofSeconds(1), true);
        long start = System.nanoTime();
        try (Connection connection = rig.source.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> statement.execute("select pg_sleep(60)"))
                    .isInstanceOfSatisfying(CallCancelledSQLException.class, e -> assertThat(e.reason())
                            .isEqualTo(CancelReason.ENDPOINT_DEADLINE));
            assertThatThrownBy(connection::commit).isInstanceOf(CallCancelledSQLException.class);
        } finally {
            Calls.end(call);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
        assertThat(rig.connections).doesNotContain(ConnectionEvent.CANCEL_SENT, ConnectionEvent.EVICTED);
        assertThat(rig.transactions).containsExactly(TransactionOutcome.ROLLED_BACK);
    }

    @Test
    void shrinksFromStatementToStatement() throws SQLException {
        inTransaction(DEADLINE, (call, connection, statement) -> {
            assertInForce(call, connection);
            long first = millis(connection);
            statement.execute("select pg_sleep(0.4)");
            assertInForce(call, connection);
            assertThat(millis(connection)).isLessThan(first - 250);
            connection.commit();
            assertInForce(call, connection);
        });
    }

    @Test
    void shrinksFromFetchToFetch() throws SQLException {
        CallScope call = rig.begin(Duration.ofSeconds(3), true);
        try (Connection connection = rig.source.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.setFetchSize(1); // each row is a statement to the server, and takes less than the deadline
            ResultSet rows = statement.executeQuery("select pg_sleep(0.7) from generate_series(1, 60)");
            assertThatThrownBy(() -> {
                        while (rows.next()) {
                            assertThat(rows.getRow()).isLessThan(20);
                        }
                    })
                    .isInstanceOf(CallCancelledSQLException.class);
        } finally {
            Calls.end(call);
        }
    }

    @Test
    void leavesAShorterLimitOfTheApplicationsAlone() throws SQLException {
        inTransaction(DEADLINE, (call, connection, statement) -> {
            statement.execute("set local statement_timeout = '10s'");
            assertThat(timeout(connection)).isEqualTo("10s");
            statement.execute("select pg_sleep(0.3), set_config('statement_timeout', '7s', true)");
            assertThat(timeout(connection)).isEqualTo("7s");
            statement.execute("set local statement_timeout = '1h'");
            assertInForce(call, connection);
            connection.rollback();
            statement.execute("set statement_timeout = '9s'");
            assertThat(timeout(connection)).isEqualTo("9s");
            connection.commit();
            assertThat(timeout(connection)).isEqualTo("9s");
            connection.setAutoCommit(true);
            assertThat(timeout(connection)).as("after the transaction").isEqualTo("9s");
            statement.execute("set statement_timeout = default");
        });
    }

    @Test
    void outlivesARollbackToASavepoint() throws SQLException {
        inTransaction(DEADLINE, (call, connection, statement) -> {
            Savepoint savepoint = connection.setSavepoint();
            statement.execute("select pg_sleep(0.4)");
            assertInForce(call, connection);
            connection.rollback(savepoint);
            assertInForce(call, connection);
            statement.execute("savepoint a");
            statement.execute("select pg_sleep(0.4)");
            assertInForce(call, connection);
            statement.execute("rollback to savepoint a");
            assertInForce(call, connection);
            call.detach();
            assertThat(timeout(connection)).as("detached").isEqualTo("0");
        });
    }

    @Test
    void leavesAFailedTransactionItsEnd() throws SQLException {
        inTransaction(DEADLINE, (call, connection, statement) -> {
            statement.execute("savepoint a");
            assertThatThrownBy(() -> statement.execute("do $$ begin raise 'no'; end $$"))
                    .hasMessageContaining("no");
            assertThatThrownBy(() -> statement.execute("select 1")).hasMessageContaining("aborted");
            statement.execute("rollback to savepoint a");
            assertInForce(call, connection);
        });
    }

    @Test
    void isTakenBackFromDetachedWork() throws SQLException {
        inTransaction(DEADLINE, (call, connection, statement) -> {
            assertInForce(call, connection);
            call.detach();
            assertThat(timeout(connection)).isEqualTo("0");
            connection.rollback();
            statement.execute("set statement_timeout = '9s'");
            assertThat(timeout(connection)).isEqualTo("9s");
            statement.execute("set statement_timeout = default");
            connection.commit();
        });
    }

    @Test
    void letsTheApplicationChooseTheIsolationLevel() throws SQLException {
        inTransaction(DEADLINE, (call, connection, statement) -> {
            statement.execute("set transaction isolation level serializable");
            assertInForce(call, connection);
            connection.commit();
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setReadOnly(true);
            assertInForce(call, connection);
        });
    }

    @Test
    void beginsNoTransaction() throws SQLException {
        long open = Postgres.shared().openTransactions();
        inTransaction(DEADLINE, (call, connection, statement) -> {
            assertThat(Postgres.shared().openTransactions()).isEqualTo((int) open);
            connection.setAutoCommit(true);
            assertThat(timeout(connection)).as("in autocommit").isEqualTo("0");
            assertThat(Postgres.shared().openTransactions()).isEqualTo((int) open);
            connection.setAutoCommit(false);
            assertInForce(call, connection);
            connection.commit();
            assertThat(Postgres.shared().openTransactions()).isEqualTo((int) open);
        });
    }

    /** Its deadline is counted, and nothing else. */
    @Test
    void leavesAnObservedCallAlone() throws SQLException {
        CallScope call = rig.begin(Duration.ofMillis(50), false);
        try (Connection connection = rig.source.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(timeout(connection)).isEqualTo("0");
        } finally {
            Calls.end(call);
        }
    }

    @Test
    void costsARoundTripPerTransactionAndNoneWhenItIsOff() throws SQLException {
        int told = roundTrips(rig);
        try (Rig off = rig(JdbcOptions.DEFAULT)) {
            int asEver = roundTrips(off);
            assertThat(asEver)
                    .as("BEGIN with the first, the second, COMMIT, the last")
                    .isEqualTo(4);
            assertThat(told).isEqualTo(asEver + 1);
        }
    }

    private static int roundTrips(Rig rig) throws SQLException {
        AtomicInteger writes = new AtomicInteger();
        CallScope call = rig.begin(Duration.ofHours(1), true);
        try (Connection connection = rig.source.getConnection();
                Statement statement = connection.createStatement()) {
            count(writes);
            connection.setAutoCommit(false);
            statement.execute("select 1");
            statement.execute("select 2");
            connection.commit();
            connection.setAutoCommit(true);
            statement.execute("select 3");
            return writes.get();
        } finally {
            ObservedSockets.beforeWrite.remove();
            Calls.end(call);
        }
    }

    private static void count(AtomicInteger writes) {
        ObservedSockets.beforeWrite.set(() -> {
            writes.incrementAndGet();
            count(writes);
        });
    }
}
