package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.TransactionOutcome;
import dev.hangup.it.Postgres;
import dev.hangup.jdbc.CallCancelledSQLException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A row that an abandoned call has locked, while its worker computes and does not come back to JDBC. */
final class RowLockIT {
    private static final int ROUNDS = 15;

    private final Postgres postgres = Postgres.shared();

    @Test
    void isFreeWithinATenthOfASecond() throws Exception {
        postgres.execute("drop table if exists locked");
        postgres.execute("create table locked (id int primary key, taken int)");
        postgres.execute("insert into locked values (1, 0)");
        List<Duration> waits = new ArrayList<>();
        try (Rig rig = new Rig(2)) {
            for (int round = 0; round < ROUNDS; round++) {
                waits.add(abandon(rig));
            }
            assertThat(rig.transactions).hasSize(ROUNDS).containsOnly(TransactionOutcome.ROLLED_BACK);
            assertThat(postgres.openTransactions()).isZero();
        }
        waits.sort(null);
        System.out.println("row lock free after " + waits.get(ROUNDS / 2) + " (median), " + waits.get(ROUNDS - 1));
        assertThat(waits.get(ROUNDS / 2)).isLessThan(Duration.ofMillis(100));
    }

    private static Duration abandon(Rig rig) throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch locked = new CountDownLatch(1);
        Calls.Working<Boolean> worker = rig.call(() -> {
            try (Connection connection = rig.source.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.executeQuery("select * from locked for update");
                locked.countDown();
                compute(stop);
                return statement.execute("select 1");
            }
        });
        assertThat(locked.await(5, TimeUnit.SECONDS)).isTrue();
        Duration waited = untilTaken(rig, worker);
        stop.set(true);
        assertThatThrownBy(() -> worker.result.get(5, TimeUnit.SECONDS))
                .hasCauseInstanceOf(CallCancelledSQLException.class);
        await().until(() -> rig.active() == 0);
        return waited;
    }

    private static Duration untilTaken(Rig rig, Calls.Working<Boolean> worker) throws SQLException {
        try (Connection other = rig.hikari.getConnection();
                Statement statement = other.createStatement()) {
            statement.execute("set lock_timeout = '5s'");
            long start = System.nanoTime();
            worker.hangUp();
            statement.executeUpdate("update locked set taken = taken + 1");
            return Duration.ofNanos(System.nanoTime() - start);
        }
    }

    private static void compute(AtomicBoolean stop) {
        while (!stop.get()) {
            Thread.onSpinWait();
        }
    }
}
