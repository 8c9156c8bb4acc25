package dev.hangup.jdbc;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.Outcome;
import dev.hangup.call.Pool;
import dev.hangup.call.TransactionOutcome;
import dev.hangup.call.Treatment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Real timers and cancellers without a container, and a listener that remembers. */
final class TestEngine implements CallRuntime, CallListener, AutoCloseable {
    final List<TransactionOutcome> transactions = new CopyOnWriteArrayList<>();
    final List<Pool> pools = new CopyOnWriteArrayList<>();
    volatile @Nullable Outcome outcome;

    private final ScheduledThreadPoolExecutor threads;
    private final Duration escalateAfter;

    TestEngine() {
        this(Duration.ofMinutes(1));
    }

    TestEngine(Duration escalateAfter) {
        this.escalateAfter = escalateAfter;
        this.threads = new ScheduledThreadPoolExecutor(2, task -> {
            Thread thread = new Thread(task, "test-canceller");
            thread.setDaemon(true);
            return thread;
        });
        threads.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        threads.setRemoveOnCancelPolicy(true);
    }

    /** A call on the current thread that cancels and interrupts. */
    CallScope begin() {
        Treatment treatment = new Treatment(true, true, true, true, escalateAfter, Duration.ofMinutes(2));
        return CallScope.begin(this, "GET", "GET /stub", treatment, Duration.ofMinutes(5), true, null);
    }

    /** Ends the call that the current thread began. */
    static void end(CallScope call) {
        call.responseOver();
        call.leave();
    }

    @Override
    public Executor canceller() {
        return threads;
    }

    @Override
    public void at(long nanoTime, Runnable task) {
        var unused = threads.schedule(task, nanoTime - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public CallListener listener() {
        return this;
    }

    @Override
    public void began(CallScope call) {}

    @Override
    public void transaction(Pool pool, TransactionOutcome transaction) {
        transactions.add(transaction);
    }

    @Override
    public void poolKnown(Pool pool) {
        pools.add(pool);
    }

    @Override
    public void ended(CallScope call, Outcome outcome) {
        this.outcome = outcome;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
