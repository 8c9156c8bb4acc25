package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.call.TransactionOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cancels at random moments of random work on a pool of one, whose next borrower must never notice. */
final class CancelRaceTest {
    private static final int ROUNDS = Integer.getInteger("hangup.jdbc.rounds", 100_000);

    private final long seed = Long.getLong("hangup.seed", System.nanoTime());
    private final StubDatabase database = new StubDatabase();
    private final StubPool pool = new StubPool(database, 1);
    private final CallerAwareDataSource source = pool.wrapped();
    private final TestEngine engine = new TestEngine();
    private final Canceller canceller = new Canceller(new Random(seed));
    /** The row of the call that was cancelled last; no commit of it may start from then on. */
    private volatile int cancelledRow = -1;

    private final AtomicInteger startedTooLate = new AtomicInteger();

    @AfterEach
    void close() {
        canceller.stopped = true;
        engine.close();
    }

    @Test
    void commitsExactlyWhatItSaysAndHitsNobodyElse() throws Exception {
        race(ROUNDS);
    }

    @Test
    @Tag("soak")
    void commitsExactlyWhatItSaysAMillionTimes() throws Exception {
        race(1_000_000);
    }

    private void race(int rounds) throws Exception {
        Random random = new Random(seed ^ 1);
        database.committing = row -> spin(random.nextInt(3));
        database.cancelling = () -> spin((int) (System.nanoTime() & 31));
        canceller.start();
        Map<TransactionOutcome, Integer> seen = new EnumMap<>(TransactionOutcome.class);
        for (int round = 0; round < rounds; round++) {
            engine.transactions.clear();
            CallScope call = engine.begin();
            canceller.cancel(call, round);
            boolean committed = work(round, random);
            canceller.awaitDone();
            TestEngine.end(call);
            boolean late = engine.outcome == Outcome.TOO_LATE;

            String where = "round " + round + " of seed " + seed + ", committed " + committed;
            assertThat(Thread.interrupted()).as(where).isFalse();
            innocent(where);
            List<TransactionOutcome> outcomes = List.copyOf(engine.transactions);
            if (database.rows.contains(round) != committed || outcomes.size() > 1) {
                throw new AssertionError(where + ", row " + database.rows.contains(round) + ", " + outcomes);
            }
            if (!outcomes.isEmpty()) {
                TransactionOutcome outcome = outcomes.get(0);
                seen.merge(outcome, 1, Integer::sum);
                boolean kept = outcome == TransactionOutcome.COMMITTED || outcome == TransactionOutcome.TOO_LATE;
                if (kept != committed || late != (outcome == TransactionOutcome.TOO_LATE)) {
                    throw new AssertionError(where + ", " + outcome + ", call too late: " + late);
                }
            } else if (committed) {
                throw new AssertionError(where + " but nobody was told");
            }
        }
        System.out.println(rounds + " rounds of seed " + seed + ": " + seen);
        assertThat(startedTooLate)
                .as("commits that started after cancel had returned")
                .hasValue(0);
        assertThat(pool.dirty)
                .as("connections that came back with work in them")
                .hasValue(0);
        assertThat(database.interrupted).as("interrupts inside the driver").hasValue(0);
        assertThat(pool.idle()).isEqualTo(1);
        assertThat(seen).as("how the rounds ended").containsOnlyKeys(TransactionOutcome.values());
    }

    /** Some wait for their cancel, or a busy machine would hardly ever have one in time; and some of those for a second one. */
    private String duration(Random random) {
        int lot = random.nextInt(4_000);
        database.lost.set(lot == 0 ? 1 : 0);
        return lot < 20 ? "block" : String.valueOf(lot % 30);
    }

    /** One transaction, written as applications write them; true if it was committed as far as it can tell. */
    private boolean work(int row, Random random) {
        int kind = random.nextInt(4);
        boolean committed = false;
        try (Connection connection = source.getConnection()) {
            try {
                connection.setAutoCommit(false);
                try (PreparedStatement insert = connection.prepareStatement("INSERT " + row)) {
                    insert.executeUpdate();
                }
                if (kind > 0) {
                    try (Statement query = connection.createStatement()) {
                        query.executeQuery("SELECT " + duration(random)).next();
                    }
                }
                if (kind > 1) {
                    spin(random.nextInt(10));
                }
                boolean cancelledBefore = cancelledRow == row;
                if (kind == 3) {
                    connection.setAutoCommit(true);
                } else {
                    connection.commit();
                }
                committed = true;
                if (cancelledBefore) {
                    startedTooLate.incrementAndGet();
                }
            } catch (SQLException e) {
                expectCancel(e);
                if (kind > 0) {
                    connection.rollback();
                }
            } finally {
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            expectCancel(e);
        }
        return committed;
    }

    private static void expectCancel(SQLException e) {
        if (!(e instanceof CallCancelledSQLException)) {
            throw new AssertionError("the worker saw something else", e);
        }
    }

    private void innocent(String where) {
        CallScope call = engine.begin();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            if (!connection.getAutoCommit()) {
                throw new AssertionError(where + ": the next borrower got a connection without autocommit");
            }
            statement.executeQuery("SELECT 2").next();
        } catch (SQLException e) {
            throw new AssertionError(where + ": the next borrower was hit", e);
        } finally {
            TestEngine.end(call);
        }
    }

    private static void spin(int micros) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < micros * 1_000L) {
            Thread.onSpinWait();
        }
    }

    /** Cancels what it is given, a random moment later. */
    private final class Canceller extends Thread {
        private final Random random;
        private volatile @Nullable CallScope next;
        private volatile int row;
        volatile boolean stopped;

        Canceller(Random random) {
            super("test-caller");
            this.random = random;
            setDaemon(true);
        }

        void cancel(CallScope call, int row) {
            this.row = row;
            this.next = call;
        }

        void awaitDone() {
            while (next != null) {
                giveWay();
            }
        }

        @Override
        public void run() {
            while (!stopped) {
                CallScope call = next;
                if (call != null) {
                    spin(random.nextInt(60));
                    call.cancel(CancelReason.CALLER_CLOSED);
                    cancelledRow = row;
                    next = null;
                }
                giveWay();
            }
        }

        /** Both wait for each other at every round, on machines with fewer cores than threads. */
        @SuppressWarnings("ThreadPriorityCheck")
        private static void giveWay() {
            Thread.yield();
        }
    }
}
