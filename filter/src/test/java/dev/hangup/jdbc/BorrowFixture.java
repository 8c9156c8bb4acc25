package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;

/** A call on the test's thread, with a pool of one connection. */
abstract class BorrowFixture {
    final StubDatabase database = new StubDatabase();
    final StubPool pool = new StubPool(database, 1);
    final CallerAwareDataSource source = pool.wrapped();
    final TestEngine engine = new TestEngine();
    final CallScope call = engine.begin();
    private volatile boolean ended;

    @AfterEach
    final void end() {
        if (!ended) {
            finish();
        }
        engine.close();
        assertThat(pool.dirty).hasValue(0);
        assertThat(database.interrupted).as("interrupts inside the driver").hasValue(0);
        assertThat(Thread.interrupted()).isFalse();
    }

    final void finish() {
        ended = true;
        TestEngine.end(call);
    }

    final Connection inTransaction(int row) throws SQLException {
        Connection connection = source.getConnection();
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("INSERT " + row)) {
            insert.executeUpdate();
        }
        return connection;
    }

    final void cancel() {
        call.cancel(CancelReason.CALLER_CLOSED);
    }

    /** From a canceller that is kept busy: whatever happens now is the worker's own doing. */
    final void cancelWithBusyCancellers() {
        for (int i = 0; i < 2; i++) {
            engine.canceller().execute(() -> await().until(() -> ended || pool.idle() == 1));
        }
        cancel();
    }

    final void cancelWhenRunning() {
        new Thread(() -> {
                    await().until(() -> pool.session().current.get() != null);
                    cancel();
                })
                .start();
    }

    /** On the worker, which would be interrupted otherwise. */
    static void eventually(Callable<Boolean> condition) {
        CallScope.enterGuard();
        try {
            await().until(condition);
        } finally {
            CallScope.leaveGuardQuietly();
        }
    }

    static void spend(Duration time) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < time.toNanos()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
