package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.ConnectionEvent;
import dev.hangup.jdbc.JdbcOptions;
import dev.hangup.jdbc.StatementCanceller;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Departures without end, after each of which a connection is in doubt, on a pool that others use. */
final class EvictionStormIT {
    private static final int CONNECTIONS = 20;
    private static final int DEPARTURES_AT_ONCE = 10;

    @Test
    void costsThePoolATenthPerSecond() throws Exception {
        storm(200);
    }

    @Test
    @Tag("soak")
    void costsThePoolATenthPerSecondForLong() throws Exception {
        storm(2_000);
    }

    private static void storm(int departures) throws Exception {
        try (Rig rig =
                new Rig(CONNECTIONS, 8, Duration.ofSeconds(20), JdbcOptions.DEFAULT.withCanceller(new Doubtful()))) {
            Innocent innocent = new Innocent(rig, Engine.POSTGRES);
            Innocent another = new Innocent(rig, Engine.POSTGRES);
            Semaphore room = new Semaphore(DEPARTURES_AT_ONCE);
            long start = System.nanoTime();
            for (int i = 0; i < departures; i++) {
                room.acquire();
                Calls.Working<Boolean> worker = rig.call(() -> {
                    try (Connection connection = rig.source.getConnection();
                            Statement statement = connection.createStatement()) {
                        connection.setAutoCommit(false);
                        return statement.execute("select pg_sleep(60)");
                    }
                });
                rig.at(System.nanoTime() + 20_000_000, () -> rig.canceller().execute(worker::hangUp));
                var unused = worker.ended.whenComplete((interrupted, error) -> room.release());
            }
            assertThat(room.tryAcquire(DEPARTURES_AT_ONCE, 60, TimeUnit.SECONDS))
                    .isTrue();
            double seconds = (System.nanoTime() - start) / 1e9;
            innocent.close();
            another.close();
            await().until(() -> rig.active() == 0);
            int evicted = Collections.frequency(rig.connections, ConnectionEvent.EVICTED);
            int cleaned = Collections.frequency(rig.connections, ConnectionEvent.CLEANED);
            System.out.printf(
                    "%d departures in %.1f s: %d evicted, %d cleaned%n", departures, seconds, evicted, cleaned);
            innocent.assertNeverHit();
            another.assertNeverHit();
            assertThat(evicted).isLessThanOrEqualTo((int) Math.ceil(seconds * CONNECTIONS / 10) + CONNECTIONS / 10);
            assertThat(cleaned).isPositive();
        }
    }

    /** Takes no error for the proof that its cancel has hit. */
    static final class Doubtful implements StatementCanceller {
        @Override
        public boolean cancel(Connection driver, @Nullable Statement running, boolean autoCommit) throws SQLException {
            driver.unwrap(PGConnection.class).cancelQuery();
            return true;
        }

        @Override
        public boolean isCancelError(SQLException error) {
            return false;
        }

        @Override
        public boolean absorb(Connection driver) throws SQLException {
            try (Statement statement = driver.createStatement()) {
                return statement.execute("select 1");
            }
        }
    }
}
