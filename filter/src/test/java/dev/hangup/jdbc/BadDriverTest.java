package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.TransactionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A driver whose cancel hangs, throws or lies: nobody waits for it, an operator hears of it once, and its connections go. */
final class BadDriverTest {
    private static final int CALLS = 12;

    private final StubDatabase database = new StubDatabase();
    private final StubPool pool = new StubPool(database, CALLS);
    private final CallerAwareDataSource source = pool.wrapped();
    private final TestEngine engine = new TestEngine(Duration.ofMillis(300));
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final AtomicInteger warnings = new AtomicInteger();
    private final Logger logger = Logger.getLogger("dev.hangup");
    private final Handler counting = new Handler() {
        @Override
        public void publish(LogRecord logged) {
            if (logged.getLevel().equals(Level.WARNING)) {
                warnings.incrementAndGet();
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(counting);
    }

    @AfterEach
    void end() {
        hanging.countDown();
        logger.removeHandler(counting);
        engine.close();
    }

    @Test
    @DisplayName("case 50: a cancel that hangs holds nobody else")
    void thatHangs() throws Exception {
        database.cancelling = () -> BorrowFixture.awaitQuietly(hanging);
        evictsAll();
        assertThat(warnings).hasValue(1);
    }

    @Test
    @DisplayName("case 50: a cancel that is not supported")
    void thatThrows() throws Exception {
        database.cancelling = () -> {
            throw new IllegalStateException("0A000");
        };
        evictsAll();
        assertThat(warnings).hasValue(1);
    }

    @Test
    void thatLies() throws Exception {
        database.lost.set(Integer.MAX_VALUE);
        evictsAll();
        assertThat(warnings).as("it does not tell").hasValue(0);
    }

    private void evictsAll() throws Exception {
        List<CompletableFuture<Throwable>> workers = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            CompletableFuture<Throwable> worker = new CompletableFuture<>();
            workers.add(worker);
            new Thread(() -> worker.complete(work())).start();
        }
        await().until(() -> database.statements.get() == CALLS * 2);
        goesOn();
        for (CompletableFuture<Throwable> worker : workers) {
            assertThat(worker.get(10, TimeUnit.SECONDS)).isInstanceOf(CallCancelledSQLException.class);
        }
        await().until(() -> pool.evicted.get() == CALLS && pool.idle() == CALLS);
        assertThat(engine.transactions).hasSize(CALLS).containsOnly(TransactionOutcome.EVICTED);
        assertThat(database.rows).isEmpty();
    }

    /** The engine's cancellers and timers, while all of the pool's cancels are under way. */
    private void goesOn() throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            CountDownLatch done = new CountDownLatch(2);
            engine.at(System.nanoTime(), done::countDown);
            engine.canceller().execute(done::countDown);
            assertThat(done.await(5, TimeUnit.SECONDS)).isTrue();
            BorrowFixture.spend(Duration.ofMillis(5));
        }
    }

    private Throwable work() {
        CallScope call = engine.begin();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("INSERT 1");
            engine.at(System.nanoTime() + 50_000_000, () -> call.cancel(CancelReason.CALLER_CLOSED));
            statement.execute("SELECT block");
            return new AssertionError("not stopped");
        } catch (SQLException e) {
            return e;
        } finally {
            TestEngine.end(call);
        }
    }
}
