package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.TransactionOutcome;
import dev.hangup.it.Postgres;
import dev.hangup.jdbc.JdbcOptions;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two hundred callers leave in the same instant, each with a statement running. */
final class CancelStormIT {
    private static final int CALLS = 200;

    private final Postgres postgres = Postgres.shared();

    @Test
    void endsAllThroughOneConnection() throws Exception {
        storm(JdbcOptions.DEFAULT, Duration.ofSeconds(5));
        assertThat(ObservedSockets.cancels).hasValue(0);
    }

    /** On a machine that does nothing else. */
    @Test
    @Tag("soak")
    void endsAllWithinASecond() throws Exception {
        storm(JdbcOptions.DEFAULT, Duration.ofSeconds(1));
    }

    @Test
    void opensFewConnectionsWhereThereIsNoControl() throws Exception {
        storm(JdbcOptions.DEFAULT.withoutControlConnection(), Duration.ofSeconds(10));
        assertThat(ObservedSockets.mostCancels).hasValueBetween(2, 7);
    }

    private void storm(JdbcOptions options, Duration limit) throws Exception {
        try (Rig rig = new Rig(CALLS, 32, Duration.ofSeconds(10), options)) {
            List<Calls.Working<Boolean>> workers = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                workers.add(rig.call(() -> sleep(rig)));
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> postgres.runningQueries("crowd") == CALLS);
            ObservedSockets.reset();
            long start = System.nanoTime();
            workers.forEach(Calls.Working::hangUp);
            for (Calls.Working<Boolean> worker : workers) {
                assertThat(worker.ended.get(20, TimeUnit.SECONDS)).isFalse();
            }
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            System.out.printf(
                    "200 cancels: all workers free after %d ms, at most %d of %d cancel requests at once%n",
                    took.toMillis(), ObservedSockets.mostCancels.get(), ObservedSockets.cancels.get());
            assertThat(took).isLessThan(limit);
            await().until(() -> rig.active() == 0 && postgres.runningQueries("crowd") == 0);
            assertThat(rig.transactions)
                    .hasSize(CALLS)
                    .isSubsetOf(TransactionOutcome.ROLLED_BACK, TransactionOutcome.EVICTED);
        }
    }

    private static boolean sleep(Rig rig) throws Exception {
        try (Connection connection = rig.source.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            return statement.execute("select pg_sleep(60) /* crowd */");
        }
    }
}
