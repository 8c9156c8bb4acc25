package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallScope;
import dev.hangup.call.ConnectionEvent;
import dev.hangup.jdbc.JdbcOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two thousand departures in a minute, on a pool of twenty that others use: these wait no longer for their connections than they
 * do without departures. Stretches with and without take turns, so that whatever else the machine does befalls both.
 */
final class WaitingTimeIT {
    private static final int CONNECTIONS = 20;
    private static final int OTHERS = 10;
    private static final Duration BETWEEN_DEPARTURES = Duration.ofMillis(30);
    /** From a call's begin to its departure: five or so hold a connection at any time. */
    private static final Duration UNTIL_DEPARTURE = Duration.ofMillis(150);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Duration> without = new ConcurrentLinkedQueue<>();
    private final Queue<Duration> with = new ConcurrentLinkedQueue<>();
    private volatile Queue<Duration> now = without;
    private volatile boolean over;

    /** @param doubtful whether each departure leaves a connection in doubt, so that only the budget keeps it in the pool */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isAsEver(boolean doubtful) throws Exception {
        isAsEver(doubtful, 2, 50);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("soak")
    void isAsEverForTwoThousandDepartures(boolean doubtful) throws Exception {
        isAsEver(doubtful, 10, 200);
    }

    private void isAsEver(boolean doubtful, int stretches, int departures) throws Exception {
        JdbcOptions options =
                doubtful ? JdbcOptions.DEFAULT.withCanceller(new EvictionStormIT.Doubtful()) : JdbcOptions.DEFAULT;
        try (Rig rig = new Rig(CONNECTIONS, 8, Duration.ofSeconds(20), options)) {
            List<CompletableFuture<Void>> others = new ArrayList<>();
            for (int i = 0; i < OTHERS; i++) {
                others.add(CompletableFuture.runAsync(() -> borrowAndWork(rig), threads));
            }
            double seconds = 0;
            for (int i = 0; i < stretches; i++) {
                now = without;
                LockSupport.parkNanos(BETWEEN_DEPARTURES.toNanos() * departures);
                now = with;
                long start = System.nanoTime();
                depart(rig, departures);
                seconds += (System.nanoTime() - start) / 1e9;
            }
            over = true;
            for (CompletableFuture<Void> other : others) {
                other.get(60, TimeUnit.SECONDS);
            }
            await().until(() -> rig.active() == 0);
            report(rig, stretches * departures, seconds);
        } finally {
            over = true;
            threads.shutdown();
        }
    }

    private void report(Rig rig, int departures, double seconds) {
        int evicted = Collections.frequency(rig.connections, ConnectionEvent.EVICTED);
        System.out.printf(
                "%d departures in %.1f s, %d evicted; others waited p50 %s, p95 %s, p99 %s (%d), without p50 %s, p95 %s, p99 %s"
                        + " (%d)%n",
                departures,
                seconds,
                evicted,
                part(with, 50),
                part(with, 95),
                part(with, 99),
                with.size(),
                part(without, 50),
                part(without, 95),
                part(without, 99),
                without.size());
        // As generous as a machine is noisy: an exhausted pool would cost each of them as long as a departing call
        // holds on.
        assertThat(part(with, 50)).isLessThan(part(without, 50).multipliedBy(4).plusMillis(5));
        assertThat(part(with, 95)).isLessThan(part(without, 95).multipliedBy(4).plusMillis(30));
        assertThat(evicted)
                .as("a tenth of the pool per second")
                .isLessThanOrEqualTo((int) Math.ceil(seconds * CONNECTIONS / 10) + CONNECTIONS / 10);
    }

    private static Duration part(Queue<Duration> waits, int percent) {
        List<Duration> sorted = waits.stream().sorted().toList();
        return sorted.get((sorted.size() - 1) * percent / 100);
    }

    /** One after the other leaves; returns when all their connections are back. */
    private static void depart(Rig rig, int departures) throws Exception {
        List<Calls.Working<Boolean>> calls = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < departures; i++) {
            LockSupport.parkNanos(start + i * BETWEEN_DEPARTURES.toNanos() - System.nanoTime());
            Calls.Working<Boolean> call = rig.call(() -> {
                try (Connection connection = rig.source.getConnection();
                        Statement statement = connection.createStatement()) {
                    connection.setAutoCommit(false);
                    return statement.execute("select pg_sleep(60)");
                }
            });
            rig.at(System.nanoTime() + UNTIL_DEPARTURE.toNanos(), () -> rig.canceller()
                    .execute(call::hangUp));
            calls.add(call);
        }
        for (Calls.Working<Boolean> call : calls) {
            call.ended.get(60, TimeUnit.SECONDS);
        }
    }

    private void borrowAndWork(Rig rig) {
        while (!over) {
            CallScope call = rig.begin();
            Queue<Duration> waits = now;
            long start = System.nanoTime();
            try (Connection connection = rig.source.getConnection()) {
                waits.add(Duration.ofNanos(System.nanoTime() - start));
                try (Statement statement = connection.createStatement()) {
                    statement.execute("select pg_sleep(0.02)");
                }
            } catch (SQLException e) {
                throw new AssertionError("somebody else was hit", e);
            } finally {
                Calls.end(call);
            }
        }
    }
}
