package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.TransactionOutcome;
import dev.hangup.it.Postgres;
import dev.hangup.jdbc.CallCancelledSQLException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Cancels at random moments, on a pool of one whose next borrower must never notice. */
final class CancelRaceIT {
    private static final int ROUNDS = Integer.getInteger("hangup.jdbc.rounds", 2_000);

    private final long seed = Long.getLong("hangup.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Postgres postgres = Postgres.shared();

    @Test
    void commitsExactlyWhatItSaysAndHitsNobodyElse() throws Exception {
        postgres.execute("drop table if exists raced");
        postgres.execute("create table raced (id int primary key)");
        Map<TransactionOutcome, Integer> seen = new EnumMap<>(TransactionOutcome.class);
        ExecutorService caller = Executors.newSingleThreadExecutor();
        try (Rig rig = new Rig(1)) {
            for (int round = 0; round < ROUNDS; round++) {
                String where = "round " + round + " of seed " + seed;
                rig.transactions.clear();
                CallScope call = rig.begin();
                long delay = random.nextInt(8_000_000);
                int millis = random.nextInt(8);
                Future<?> cancelled = caller.submit(() -> {
                    LockSupport.parkNanos(delay);
                    call.cancel(CancelReason.CALLER_CLOSED);
                });
                boolean committed = work(rig, round, millis);
                Calls.end(call);
                cancelled.get();
                boolean row = innocent(rig, round, where);
                List<TransactionOutcome> outcomes = List.copyOf(rig.transactions);
                assertThat(row).as("%s, %s", where, outcomes).isEqualTo(committed);
                assertThat(outcomes.size()).as(where).isLessThanOrEqualTo(1);
                for (TransactionOutcome outcome : outcomes) {
                    seen.merge(outcome, 1, Integer::sum);
                    boolean kept = outcome == TransactionOutcome.COMMITTED || outcome == TransactionOutcome.TOO_LATE;
                    assertThat(kept).as("%s, %s", where, outcome).isEqualTo(committed);
                }
            }
            assertThat(rig.active()).isZero();
            assertThat(rig.hikari.getHikariPoolMXBean().getTotalConnections()).isEqualTo(1);
        } finally {
            caller.shutdownNow();
        }
        System.out.println(ROUNDS + " rounds of seed " + seed + ": " + seen);
        assertThat(seen).containsKeys(TransactionOutcome.ROLLED_BACK, TransactionOutcome.COMMITTED);
    }

    /** Whether commit() returned; a cancel that comes right after it is told by what follows, and takes nothing back. */
    private static boolean work(Rig rig, int id, int millis) {
        boolean committed = false;
        try (Connection connection = rig.source.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("insert into raced values (?)");
                    Statement sleep = connection.createStatement()) {
                insert.setInt(1, id);
                insert.executeUpdate();
                sleep.executeQuery("select pg_sleep(0.00" + millis + ")").next();
                connection.commit();
                committed = true;
            } catch (CallCancelledSQLException e) {
                if (id % 2 == 0) {
                    connection.rollback();
                }
            } finally {
                connection.setAutoCommit(true);
            }
            return committed;
        } catch (CallCancelledSQLException e) {
            return committed;
        } catch (SQLException e) {
            throw new AssertionError("the worker saw something else", e);
        }
    }

    /** The next borrower, on the pool itself; returns whether the row is there. */
    private static boolean innocent(Rig rig, int id, String where) {
        try (Connection connection = rig.hikari.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(connection.getAutoCommit()).as(where).isTrue();
            statement.executeQuery("select pg_sleep(0.001)").next();
            ResultSet rows = statement.executeQuery("select count(*) from raced where id = " + id);
            rows.next();
            return rows.getInt(1) == 1;
        } catch (SQLException e) {
            throw new AssertionError(where + ": the next borrower was hit", e);
        }
    }
}
