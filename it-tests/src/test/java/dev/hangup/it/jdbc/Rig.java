package dev.hangup.it.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.call.Pool;
import dev.hangup.call.TransactionOutcome;
import dev.hangup.call.Treatment;
import dev.hangup.it.Postgres;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.watch.Canceller;
import dev.hangup.watch.Watcher;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** A wrapped HikariCP pool over the real PostgreSQL, and calls that run on the real watcher's timers and real cancellers. */
final class Rig implements CallRuntime, CallListener, AutoCloseable {
    final Postgres postgres = Postgres.shared();
    final HikariDataSource hikari;
    final CallerAwareDataSource source;
    final List<TransactionOutcome> transactions = new CopyOnWriteArrayList<>();
    volatile @Nullable Outcome outcome;
    volatile @Nullable Pool pool;

    private final Watcher watcher = new Watcher(List.of(), () -> Duration.ofMillis(100));
    private final Canceller cancellers;
    private final Duration escalateAfter;

    Rig(int size) {
        this(size, 8, Duration.ofSeconds(10));
    }

    Rig(int size, int cancellers, Duration escalateAfter) {
        HikariConfig config = new HikariConfig();
        PGSimpleDataSource driver = (PGSimpleDataSource) postgres.dataSource();
        driver.setSocketFactory(ObservedSockets.class.getName());
        config.setDataSource(driver);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(size);
        this.hikari = new HikariDataSource(config);
        this.source = CallerAwareDataSource.wrap(hikari, "it");
        this.cancellers = new Canceller(cancellers);
        this.escalateAfter = escalateAfter;
        watcher.start();
    }

    /** Begins a call on the current thread. */
    CallScope begin() {
        Treatment treatment = new Treatment(true, true, true, true, escalateAfter, Duration.ofMinutes(1));
        return CallScope.begin(this, "GET", "GET /it", treatment, Duration.ofMinutes(5), true, null);
    }

    /** Ends the call that the current thread began. */
    static void end(CallScope call) {
        call.leave();
        call.responseOver();
    }

    /** A call whose work runs on a thread of its own. */
    <T> Working<T> call(Callable<T> work) throws InterruptedException {
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

    int active() {
        return hikari.getHikariPoolMXBean().getActiveConnections();
    }

    @Override
    public Executor canceller() {
        return cancellers;
    }

    @Override
    public void at(long nanoTime, Runnable task) {
        watcher.at(nanoTime, task);
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
        this.pool = pool;
    }

    @Override
    public void ended(CallScope call, Outcome outcome) {
        this.outcome = outcome;
    }

    @Override
    public void close() {
        hikari.close();
        watcher.close();
        cancellers.close();
    }
}
