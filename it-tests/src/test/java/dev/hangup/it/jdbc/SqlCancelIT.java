package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.call.TransactionOutcome;
import dev.hangup.it.Postgres;
import dev.hangup.jdbc.CallCancelledSQLException;
import dev.hangup.jdbc.JdbcOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a cancel does to SQL, on PostgreSQL and HikariCP. */
final class SqlCancelIT {
    private final Postgres postgres = Postgres.shared();

    @BeforeEach
    void makeTable() {
        postgres.execute("drop table if exists kept");
        postgres.execute("create table kept (id int primary key)");
    }

    private static void insert(Connection connection, int id) throws SQLException {
        connection.setAutoCommit(false);
        try (PreparedStatement statement = connection.prepareStatement("insert into kept values (?)")) {
            statement.setInt(1, id);
            statement.executeUpdate();
        }
    }

    @Test
    @DisplayName("case 4: the statement ends on the server, and the connection is as good as new")
    void stopsTheStatement() throws Exception {
        try (Rig rig = new Rig(1)) {
            for (int round = 0; round < 20; round++) {
                int id = round;
                Calls.Working<Integer> worker = rig.call(() -> {
                    try (Connection connection = rig.source.getConnection();
                            Statement statement = connection.createStatement()) {
                        insert(connection, id);
                        statement.executeQuery("select pg_sleep(60) /* sleeper */");
                        connection.commit();
                    }
                    return id;
                });
                await().until(() -> postgres.runningQueries("sleeper") == 1);
                long start = System.nanoTime();
                worker.hangUp();
                assertThat(worker.ended.get(1, TimeUnit.SECONDS)).isFalse();
                assertThatThrownBy(worker.result::get)
                        .hasCauseInstanceOf(CallCancelledSQLException.class)
                        .hasRootCauseMessage("ERROR: canceling statement due to user request");
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
                assertThat(rig.active()).isZero();
                assertThat(postgres.runningQueries("sleeper")).isZero();
                assertThat(rig.outcome).isEqualTo(Outcome.CANCELLED);
            }
            assertThat(rig.transactions).hasSize(20).containsOnly(TransactionOutcome.ROLLED_BACK);
            assertThat(postgres.rows("kept")).isZero();
            assertThat(rig.pool).isNotNull().satisfies(pool -> {
                assertThat(pool.size()).isEqualTo(1);
                assertThat(pool.unowned()).isZero();
                assertThat(pool.unownedNanos()).isPositive();
            });
        }
    }

    @Test
    void commitsNothingAfterACancel() throws Exception {
        try (Rig rig = new Rig(1)) {
            CallScope call = rig.begin();
            Connection connection = rig.source.getConnection();
            insert(connection, 1);
            call.cancel(CancelReason.MANUAL);
            assertThatThrownBy(connection::commit).isInstanceOf(CallCancelledSQLException.class);
            connection.close();
            Calls.end(call);
            assertThat(postgres.rows("kept")).isZero();
            assertThat(rig.transactions).containsExactly(TransactionOutcome.ROLLED_BACK);
            await().until(() -> rig.active() == 0);
        }
    }

    /** Spring's older manager does not roll back when a commit fails, and then switches autocommit on. */
    @Test
    void vetoesAutoCommitAsACommit() throws Exception {
        try (Rig rig = new Rig(1)) {
            CallScope call = rig.begin();
            Connection connection = rig.source.getConnection();
            insert(connection, 1);
            call.cancel(CancelReason.MANUAL);
            assertThatThrownBy(() -> connection.setAutoCommit(true)).isInstanceOf(CallCancelledSQLException.class);
            connection.setAutoCommit(true);
            connection.close();
            Calls.end(call);
            assertThat(postgres.rows("kept")).isZero();
            try (Connection next = rig.source.getConnection()) {
                assertThat(next.getAutoCommit()).isTrue();
            }
        }
    }

    /** A deferred trigger makes the commit itself slow. */
    @Test
    @DisplayName("case 47: a commit under way is left alone, and told as too late")
    void leavesACommitAlone() throws Exception {
        postgres.execute("create or replace function dawdle() returns trigger language plpgsql as"
                + " $$ begin perform pg_sleep(2); return null; end $$");
        postgres.execute("create constraint trigger slow after insert on kept deferrable initially deferred"
                + " for each row execute function dawdle()");
        try (Rig rig = new Rig(1)) {
            Calls.Working<Boolean> worker = rig.call(() -> {
                try (Connection connection = rig.source.getConnection()) {
                    insert(connection, 1);
                    connection.commit();
                    return true;
                }
            });
            await().until(() -> postgres.runningQueries("COMMIT") == 1);
            worker.hangUp();
            assertThat(worker.result.get(5, TimeUnit.SECONDS)).isTrue();
            assertThat(worker.ended.get()).as("left interrupted").isFalse();
            assertThat(postgres.rows("kept")).isEqualTo(1);
            assertThat(rig.transactions).containsExactly(TransactionOutcome.TOO_LATE);
            assertThat(rig.outcome).isEqualTo(Outcome.TOO_LATE);
            assertThat(rig.active()).isZero();
        }
    }

    @Test
    @DisplayName("case 45: a cancel before the statement exists counts")
    void sendsNothingAfterACancel() throws Exception {
        try (Rig rig = new Rig(1)) {
            CallScope call = rig.begin();
            Connection connection = rig.source.getConnection();
            call.cancel(CancelReason.MANUAL);
            assertThatThrownBy(() -> {
                        try (Statement statement = connection.createStatement()) {
                            statement.executeUpdate("insert into kept values (1)");
                        }
                    })
                    .isInstanceOf(CallCancelledSQLException.class);
            connection.close();
            assertThatThrownBy(rig.source::getConnection).isInstanceOf(CallCancelledSQLException.class);
            Calls.end(call);
            assertThat(postgres.rows("kept")).isZero();
            await().until(() -> rig.active() == 0);
        }
    }

    @Test
    void stopsAFetchFromACursor() throws Exception {
        try (Rig rig = new Rig(1)) {
            CountDownLatch fetching = new CountDownLatch(1);
            Calls.Working<Integer> worker = rig.call(() -> {
                try (Connection connection = rig.source.getConnection();
                        Statement statement = connection.createStatement()) {
                    connection.setAutoCommit(false);
                    statement.setFetchSize(2);
                    int rows = 0;
                    ResultSet result = statement.executeQuery("select case when i > 2 then pg_sleep(60)::text end"
                            + " from generate_series(1, 9) i /* cursor */");
                    while (result.next()) {
                        if (++rows == 2) {
                            fetching.countDown();
                        }
                    }
                    return rows;
                }
            });
            assertThat(fetching.await(5, TimeUnit.SECONDS)).isTrue();
            await().until(() -> postgres.runningQueries("cursor") == 1);
            worker.hangUp();
            assertThatThrownBy(() -> worker.result.get(2, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(CallCancelledSQLException.class);
            await().until(() -> rig.active() == 0 && postgres.runningQueries("cursor") == 0);
        }
    }

    @Test
    @DisplayName("case 48: a statement that swallows cancels is broken off, after cancels")
    void breaksWhatSwallowsCancels() throws Exception {
        try (Rig rig = new Rig(1, 8, Duration.ofMillis(700), JdbcOptions.DEFAULT.withoutControlConnection())) {
            ObservedSockets.reset();
            Calls.Working<Boolean> worker = rig.call(() -> {
                try (Connection connection = rig.source.getConnection();
                        Statement statement = connection.createStatement()) {
                    return statement.execute("do $$ begin loop begin perform pg_sleep(10) /* deaf */;"
                            + " exception when query_canceled then null; end; end loop; end $$");
                }
            });
            await().until(() -> postgres.runningQueries("deaf") == 1);
            worker.hangUp();
            assertThatThrownBy(() -> worker.result.get(3, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(CallCancelledSQLException.class);
            assertThat(ObservedSockets.cancels).hasValueGreaterThan(1);
            assertThat(rig.transactions).containsExactly(TransactionOutcome.EVICTED);
            await().until(() -> rig.active() == 0);
            try (Connection next = rig.source.getConnection()) {
                assertThat(next.isValid(1)).isTrue();
            }
        } finally {
            postgres.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                    + " where query like '%deaf%' and pid <> pg_backend_pid()");
        }
    }

    @Test
    @DisplayName("case 42: a cancel while waiting for a connection ends the wait and leaks nothing")
    void freesWhoWaitsForAConnection() throws Exception {
        try (Rig rig = new Rig(1)) {
            Calls.Working<Connection> waiter;
            try (Connection taken = rig.hikari.getConnection()) {
                assertThat(taken.isValid(1)).isTrue();
                waiter = rig.call(rig.source::getConnection);
                await().until(() -> rig.hikari.getHikariPoolMXBean().getThreadsAwaitingConnection() == 1);
                waiter.hangUp();
                assertThatThrownBy(() -> waiter.result.get(2, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(CallCancelledSQLException.class);
                assertThat(waiter.ended.get()).as("left interrupted").isFalse();
            }
            assertThat(rig.hikari.getHikariPoolMXBean().getThreadsAwaitingConnection())
                    .isZero();
            assertThat(rig.active()).isZero();
            assertThat(rig.hikari.getHikariPoolMXBean().getTotalConnections()).isEqualTo(1);
        }
    }
}
