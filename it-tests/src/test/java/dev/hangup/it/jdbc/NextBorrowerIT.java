package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.jdbc.CallCancelledSQLException;
import dev.hangup.jdbc.JdbcOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool of one: the end of A's call races its cancel, while B waits for the connection and must never be hit. */
final class NextBorrowerIT {
    private final long seed = Long.getLong("hangup.seed", System.nanoTime());
    private final AtomicInteger stopped = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isNeverHit(boolean control) throws Exception {
        isNeverHit(control, 1, 250);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("soak")
    void isNeverHitInFiftyThousandRounds(boolean control) throws Exception {
        isNeverHit(control, 10, 5_000);
    }

    /** @param pools side by side, because all of them wait more than they work */
    private void isNeverHit(boolean control, int pools, int rounds) throws Exception {
        JdbcOptions options = control ? JdbcOptions.DEFAULT : JdbcOptions.DEFAULT.withoutControlConnection();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < pools; i++) {
            Random random = new Random(seed + i);
            all.add(CompletableFuture.runAsync(() -> rounds(options, random, rounds), threads));
        }
        all.forEach(CompletableFuture::join);
        System.out.println(pools * rounds + " rounds of seed " + seed + ", " + stopped + " stopped");
        assertThat(stopped).hasValueBetween(1, pools * rounds);
    }

    private void rounds(JdbcOptions options, Random random, int rounds) {
        try (Rig rig = new Rig(1, 8, Duration.ofSeconds(20), options)) {
            for (int round = 0; round < rounds; round++) {
                CountDownLatch borrowed = new CountDownLatch(1);
                CompletableFuture<Void> next = CompletableFuture.runAsync(() -> innocent(rig, borrowed), threads);
                long delay = 3_000_000L + random.nextInt(4_000_000); // about when the statement below ends
                CallScope call = rig.begin();
                CompletableFuture<Void> caller = CompletableFuture.runAsync(
                        () -> {
                            LockSupport.parkNanos(delay);
                            call.cancel(CancelReason.CALLER_CLOSED);
                        },
                        threads);
                if (!work(rig, random.nextInt(4), borrowed)) {
                    stopped.incrementAndGet();
                }
                Calls.end(call);
                caller.join();
                next.join();
            }
        }
    }

    private boolean work(Rig rig, int further, CountDownLatch borrowed) {
        try (Connection connection = rig.source.getConnection();
                Statement statement = connection.createStatement()) {
            borrowed.countDown();
            statement.executeQuery("select pg_sleep(0.00" + (3 + further) + ")").next();
            return true;
        } catch (CallCancelledSQLException e) {
            return false;
        } catch (SQLException e) {
            throw new AssertionError("seed " + seed, e);
        } finally {
            borrowed.countDown();
        }
    }

    private void innocent(Rig rig, CountDownLatch borrowed) {
        try {
            borrowed.await();
            try (Connection connection = rig.hikari.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.executeQuery("select pg_sleep(0.002)").next();
            }
        } catch (SQLException | InterruptedException e) {
            throw new AssertionError("seed " + seed + ": the next borrower was hit", e);
        }
    }
}
