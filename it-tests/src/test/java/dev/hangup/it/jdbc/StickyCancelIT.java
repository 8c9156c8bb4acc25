package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.ConnectionEvent;
import dev.hangup.jdbc.CallCancelledSQLException;
import dev.hangup.jdbc.JdbcOptions;
import dev.hangup.jdbc.StatementCanceller;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** H2 keeps a cancel that comes too late with the cached command, and whoever runs the same text next is hit. */
final class StickyCancelIT {
    /** Some milliseconds, on any machine. */
    private static final String WORK = "select sleep(1) from system_range(1, 3)";

    private final long seed = Long.getLong("hangup.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final ExecutorService callers = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        callers.shutdownNow();
    }

    @Test
    void hitsNobody() throws Exception {
        hitsNobody(200);
    }

    @Test
    @Tag("soak")
    void hitsNobodyInAThousandRounds() throws Exception {
        hitsNobody(1_000);
    }

    private void hitsNobody(int rounds) throws Exception {
        try (Rig rig = rig(JdbcOptions.DEFAULT)) {
            int hits = 0;
            for (int round = 0; round < rounds; round++) {
                hits += isSomebodyHit(rig) ? 1 : 0;
            }
            int evicted = Collections.frequency(rig.connections, ConnectionEvent.EVICTED);
            System.out.printf("H2, %d rounds of seed %d: %d evicted, %d hit%n", rounds, seed, evicted, hits);
            assertThat(hits).as("seed %d", seed).isZero();
            assertThat(evicted).as("cancels that came too late").isPositive();
        }
    }

    /** Or what is tested here would not be there. */
    @Test
    void hitsTheNextAfterWhoTrustsAQuery() throws Exception {
        try (Rig rig = rig(JdbcOptions.DEFAULT.withCanceller(new Trusting()))) {
            int round = 0;
            while (round < 3_000 && !isSomebodyHit(rig)) {
                round++;
            }
            assertThat(round).as("seed %d", seed).isLessThan(3_000);
        }
    }

    private static Rig rig(JdbcOptions options) throws SQLException {
        Rig rig = new Rig(Engine.H2.open(null), 1, 8, Duration.ofSeconds(20), options);
        try (Connection connection = rig.hikari.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create alias if not exists sleep for 'java.lang.Thread.sleep(long)'");
        }
        return rig;
    }

    /** A call whose cancel comes about when its statement ends; then somebody else on the same connection. True if a cancel hit anybody else. */
    private boolean isSomebodyHit(Rig rig) throws SQLException {
        long delay = 1_000_000L + random.nextInt(4_000_000);
        CallScope call = rig.begin();
        CompletableFuture<Void> caller = CompletableFuture.runAsync(
                () -> {
                    LockSupport.parkNanos(delay);
                    call.cancel(CancelReason.CALLER_CLOSED);
                },
                callers);
        try (Connection connection = rig.source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(WORK);
        } catch (SQLException e) {
            if (!(e instanceof CallCancelledSQLException)) {
                return isHit(e); // by the cancel of an earlier call
            }
        } finally {
            Calls.end(call);
            caller.join();
        }
        try (Connection next = rig.hikari.getConnection();
                Statement statement = next.createStatement()) {
            return !statement.execute(WORK);
        } catch (SQLException e) {
            return isHit(e);
        }
    }

    private static boolean isHit(SQLException error) {
        assertThat(error.getSQLState()).isEqualTo("57014");
        return true;
    }

    /** Believes that a query of its own draws a late cancel. */
    private static final class Trusting implements StatementCanceller {
        @Override
        public boolean cancel(Connection driver, @Nullable Statement running, boolean autoCommit) throws SQLException {
            if (running != null) {
                running.cancel();
            }
            return running != null;
        }

        @Override
        public boolean isCancelError(SQLException error) {
            return "57014".equals(error.getSQLState());
        }

        @Override
        public boolean absorb(Connection driver) throws SQLException {
            try (Statement statement = driver.createStatement()) {
                return statement.execute("select 1");
            }
        }
    }
}
