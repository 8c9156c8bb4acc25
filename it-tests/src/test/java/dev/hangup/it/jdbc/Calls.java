package dev.hangup.it.jdbc;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.ConnectionEvent;
import dev.hangup.call.Outcome;
import dev.hangup.call.Pool;
import dev.hangup.call.TransactionOutcome;
import dev.hangup.call.Treatment;
import dev.hangup.watch.Canceller;
import dev.hangup.watch.Watcher;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Calls without a container: on the real watcher's timers and real cancellers, with a listener that remembers. */
class Calls implements CallRuntime, CallListener, AutoCloseable {
    final List<TransactionOutcome> transactions = new CopyOnWriteArrayList<>();
    final List<ConnectionEvent> connections = new CopyOnWriteArrayList<>();
    volatile @Nullable Outcome outcome;
    volatile @Nullable Pool pool;

    private final Watcher watcher = new Watcher(List.of(), () -> Duration.ofMillis(100));
    private final Queue<Runnable> atClose = new ConcurrentLinkedQueue<>();
    private final Canceller cancellers;
    private final Duration escalateAfter;

    Calls() {
        this(8, Duration.ofSeconds(10));
    }

    Calls(int cancellers, Duration escalateAfter) {
        this.cancellers = new Canceller(cancellers);
        this.escalateAfter = escalateAfter;
        watcher.start();
    }

    /** Begins a call on the current thread. */
    final CallScope begin() {
        return begin(Duration.ofMinutes(5), true);
    }

    /** As {@link #begin()}; nobody tells such a call that its deadline has passed, unless the test does. */
    final CallScope begin(Duration deadline, boolean cancels) {
        Treatment treatment = new Treatment(cancels, true, true, true, escalateAfter, Duration.ofMinutes(1));
        return CallScope.begin(this, "GET", "GET /it", treatment, deadline, true, null);
    }

    /** Ends the call that the current thread began. */
    static void end(CallScope call) {
        call.leave();
        call.responseOver();
    }

    /** A call whose work runs on a thread of its own. */
    final <T> Working<T> call(Callable<T> work) {
        Working<T> working = new Working<>();
        working.thread = new Thread(() -> {
            CallScope call = begin();
            working.scope.complete(call);
            try {
                working.result.complete(work.call());
            } catch (Throwable e) {
                working.result.completeExceptionally(e);
            } finally {
                end(call);
                working.ended.complete(Thread.interrupted());
            }
        });
        working.thread.setDaemon(true);
        working.thread.start();
        return working;
    }

    /** @param <T> what the work returns */
    static final class Working<T> {
        final CompletableFuture<CallScope> scope = new CompletableFuture<>();
        final CompletableFuture<T> result = new CompletableFuture<>();
        /** Whether the worker was left interrupted. */
        final CompletableFuture<Boolean> ended = new CompletableFuture<>();

        Thread thread = Thread.currentThread();

        void hangUp() {
            scope.join().callerGone(CancelReason.CALLER_CLOSED);
        }
    }

    @Override
    public final Executor canceller() {
        return cancellers;
    }

    @Override
    public final void at(long nanoTime, Runnable task) {
        watcher.at(nanoTime, task);
    }

    @Override
    public final void atClose(Runnable action) {
        atClose.add(action);
    }

    @Override
    public final CallListener listener() {
        return this;
    }

    @Override
    public final void began(CallScope call) {}

    @Override
    public final void transaction(Pool pool, TransactionOutcome transaction) {
        transactions.add(transaction);
    }

    @Override
    public final void connection(Pool pool, ConnectionEvent event) {
        connections.add(event);
    }

    @Override
    public final void poolKnown(Pool pool) {
        this.pool = pool;
    }

    @Override
    public final void ended(CallScope call, Outcome outcome) {
        this.outcome = outcome;
    }

    @Override
    public void close() {
        watcher.close();
        cancellers.close();
        atClose.forEach(Runnable::run);
    }
}
