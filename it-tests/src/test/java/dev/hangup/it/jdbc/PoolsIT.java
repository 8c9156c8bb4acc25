package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.TransactionOutcome;
import dev.hangup.it.Postgres;
import dev.hangup.jdbc.CallCancelledSQLException;
import dev.hangup.jdbc.CallerAwareDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each pool does with a connection of a cancelled call. */
final class PoolsIT {
    private static final String LOOK = "select pg_backend_pid(), current_setting('search_path')";

    private final Postgres postgres = Postgres.shared();

    private static Calls.Working<Integer> work(Calls calls, CallerAwareDataSource source, String sql) {
        return calls.call(() -> {
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("insert into pooled values (1)");
                statement.execute(sql);
                connection.commit();
                return 1;
            }
        });
    }

    private static int pid(PooledDatabase.Opened pool) throws SQLException {
        try (Connection next = pool.source().getConnection();
                Statement statement = next.createStatement();
                ResultSet row = statement.executeQuery(LOOK)) {
            assertThat(next.getAutoCommit()).isTrue();
            row.next();
            assertThat(row.getString(2)).as("left in the session").isEqualTo("\"$user\", public");
            return row.getInt(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void keepsWhatIsCleanAndLosesWhatIsNot(PooledDatabase kind) throws Exception {
        postgres.execute("drop table if exists pooled").execute("create table pooled (id int)");
        try (Calls calls = new Calls();
                PooledDatabase.Opened pool = kind.open(1)) {
            CallerAwareDataSource source = CallerAwareDataSource.wrap(pool.source(), "pooled");
            int pid = pid(pool);
            for (int round = 0; round < 3; round++) {
                Calls.Working<Integer> worker = work(calls, source, "select pg_sleep(60) /* pooled */");
                await().until(() -> postgres.runningQueries("pooled */") == 1);
                worker.hangUp();
                assertThatThrownBy(() -> worker.result.get(5, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(CallCancelledSQLException.class);
                worker.ended.get();
                await().until(() -> pool.activeNow() == 0);
            }
            assertThat(calls.transactions)
                    .hasSize(3)
                    .isSubsetOf(TransactionOutcome.ROLLED_BACK, TransactionOutcome.EVICTED);
            if (!calls.transactions.contains(
                    TransactionOutcome.EVICTED)) { // a busy machine may have needed a second cancel
                assertThat(pid(pool)).as("the same connection").isEqualTo(pid);
            }
            int before = pid(pool);
            Calls.Working<Integer> leaver =
                    work(calls, source, "set search_path = pg_catalog; select pg_sleep(60) /* pooled */");
            await().until(() -> postgres.runningQueries("pooled */") == 1);
            leaver.hangUp();
            assertThatThrownBy(() -> leaver.result.get(5, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(CallCancelledSQLException.class);
            await().until(() -> pool.activeNow() == 0);
            assertThat(calls.transactions.get(3)).isEqualTo(TransactionOutcome.EVICTED);
            assertThat(pid(pool)).as("another connection").isNotEqualTo(before);
            assertThat(postgres.rows("pooled")).isZero();
            assertThat(pool.activeNow()).isZero();
            assertThat(calls.pool).isNotNull().satisfies(known -> assertThat(known.size())
                    .isEqualTo(kind == PooledDatabase.OTHER ? -1 : 1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void losesWhatIsBrokenOff(PooledDatabase kind) throws Exception {
        postgres.execute("drop table if exists pooled").execute("create table pooled (id int)");
        try (Calls calls = new Calls(8, Duration.ofMillis(500));
                PooledDatabase.Opened pool = kind.open(1)) {
            CallerAwareDataSource source = CallerAwareDataSource.wrap(pool.source(), "pooled");
            int pid = pid(pool);
            Calls.Working<Integer> deaf = work(
                    calls,
                    source,
                    "do $$ begin loop begin perform pg_sleep(10) /* pool-deaf */;"
                            + " exception when query_canceled then null; end; end loop; end $$");
            await().until(() -> postgres.runningQueries("pool-deaf */") == 1);
            deaf.hangUp();
            assertThatThrownBy(() -> deaf.result.get(5, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(CallCancelledSQLException.class);
            await().until(() -> pool.activeNow() == 0);
            assertThat(calls.transactions).containsExactly(TransactionOutcome.EVICTED);
            assertThat(pid(pool)).isNotEqualTo(pid);
        } finally {
            postgres.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                    + " where query like '%pool-deaf%' and pid <> pg_backend_pid()");
        }
        assertThat(postgres.rows("pooled")).isZero();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("case 42: a cancel while waiting for a connection ends the wait and leaks nothing")
    void freesWhoWaitsForAConnection(PooledDatabase kind) throws Exception {
        try (Calls calls = new Calls();
                PooledDatabase.Opened pool = kind.open(1)) {
            CallerAwareDataSource source = CallerAwareDataSource.wrap(pool.source(), "pooled");
            Calls.Working<Connection> waiter;
            try (Connection taken = pool.source().getConnection()) {
                assertThat(taken.isValid(1)).isTrue();
                waiter = calls.call(source::getConnection);
                await().until(() -> waiter.thread.getState() == Thread.State.TIMED_WAITING
                        || waiter.thread.getState() == Thread.State.WAITING);
                long start = System.nanoTime();
                waiter.hangUp();
                assertThatThrownBy(() -> waiter.result.get(4, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(CallCancelledSQLException.class);
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
                assertThat(waiter.ended.get()).as("left interrupted").isFalse();
            }
            await().until(() -> pool.activeNow() == 0);
            assertThat(pid(pool)).isPositive();
        }
    }
}
