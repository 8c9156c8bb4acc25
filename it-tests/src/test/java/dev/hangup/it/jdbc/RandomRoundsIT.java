package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.TransactionOutcome;
import dev.hangup.jdbc.JdbcOptions;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Calls of random work, cancelled at random moments, on a pool that others use, too. Rows are there exactly where the outcome
 * says so, nobody else is hit, and the pool stays whole. The seed is printed; {@code -Dhangup.seed} repeats a run as far as
 * threads allow.
 */
final class RandomRoundsIT {
    private static final int WORKERS = 3;
    private static final int CONNECTIONS = 4;

    private static @Nullable MariaDb mariaDb;

    @TempDir
    private static Path directory;

    private final long seed = Long.getLong("hangup.seed", System.nanoTime());

    private static synchronized @Nullable MariaDb server(Engine engine) throws IOException {
        if (mariaDb == null && engine.needsMariaDb()) {
            mariaDb = MariaDb.start(directory);
        }
        return mariaDb;
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRES, false",
        "H2, false",
        "MARIADB, false",
        "CONNECTOR_J, false",
        "POSTGRES, true",
        "MARIADB, true"
    })
    void areExact(Engine engine, boolean virtual) throws Exception {
        areExact(engine, virtual, Integer.getInteger("hangup.jdbc.rounds", 150));
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRES, false",
        "POSTGRES, true",
        "H2, false",
        "H2, true",
        "MARIADB, false",
        "MARIADB, true",
        "CONNECTOR_J, false",
        "CONNECTOR_J, true"
    })
    @Tag("soak")
    void areExactTwentyFiveThousandTimes(Engine engine, boolean virtual) throws Exception {
        areExact(engine, virtual, 25_000);
    }

    private void areExact(Engine engine, boolean virtual, int rounds) throws Exception {
        assumeThat(!virtual || Runtime.version().feature() >= 21)
                .as("virtual threads came with JDK 21")
                .isTrue();
        DataSource database = engine.open(server(engine));
        execute(database, "drop table if exists raced");
        execute(database, "create table raced (id int primary key)");
        Map<TransactionOutcome, Integer> seen = new EnumMap<>(TransactionOutcome.class);
        try (Rig rig = new Rig(database, CONNECTIONS, 8, Duration.ofSeconds(20), JdbcOptions.DEFAULT)) {
            Innocent innocent = new Innocent(rig, engine);
            List<CompletableFuture<Void>> workers = new ArrayList<>();
            ExecutorService callers = Executors.newCachedThreadPool();
            for (int i = 0; i < WORKERS; i++) {
                int number = i;
                Random random = new Random(seed + i);
                workers.add(start(virtual, () -> {
                    try (Calls calls = new Calls();
                            Connection beside = database.getConnection()) {
                        RandomRound round = new RandomRound(engine, rig.source, beside, calls, random, callers);
                        for (int id = number; id < rounds; id += WORKERS) {
                            TransactionOutcome outcome = round.run(id, "round " + id + " of seed " + seed);
                            if (outcome != null) {
                                synchronized (seen) {
                                    seen.merge(outcome, 1, Integer::sum);
                                }
                            }
                        }
                    }
                    return null;
                }));
            }
            for (CompletableFuture<Void> worker : workers) {
                worker.get();
            }
            callers.shutdown();
            innocent.close();
            innocent.assertNeverHit();
            await().until(() -> rig.active() == 0);
            for (int i = 0; i < CONNECTIONS; i++) {
                try (Connection whole = rig.hikari.getConnection()) {
                    assertThat(whole.getAutoCommit()).isTrue();
                    assertThat(whole.isValid(5)).isTrue();
                }
            }
        }
        System.out.printf("%s, virtual %s: %d rounds of seed %d: %s%n", engine, virtual, rounds, seed, seen);
        assertThat(seen).containsKeys(TransactionOutcome.COMMITTED);
        assertThat(seen.keySet()).hasSizeGreaterThan(1);
    }

    private static void execute(DataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Java 17 compiles this, later ones run it. */
    private static CompletableFuture<Void> start(boolean virtual, Callable<Void> work)
            throws ReflectiveOperationException {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Runnable told = () -> {
            try {
                done.complete(work.call());
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        };
        if (virtual) {
            try {
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, told);
            } catch (InvocationTargetException e) {
                throw new IllegalStateException(e.getCause());
            }
        } else {
            new Thread(told).start();
        }
        return done;
    }
}
