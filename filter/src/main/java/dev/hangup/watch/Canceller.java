package dev.hangup.watch;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads on which the blocking part of cancels runs: few, daemons, gone when idle. The queue has no bound, because a cancel
 * is never dropped and never runs on the thread that asked for it; it holds one entry per call and rung.
 */
public final class Canceller implements Executor, AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.hangup");
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final ThreadPoolExecutor threads;
    /** Those of the pool that live, and some that have ended. */
    private final Set<Thread> started = ConcurrentHashMap.newKeySet();

    /** @param size how many cancels may be under way at once */
    public Canceller(int size) {
        AtomicInteger count = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                size, size, IDLE.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "hangup-canceller-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    // Started from whatever thread cancels first: it must not keep that one's class loader.
                    thread.setContextClassLoader(Canceller.class.getClassLoader());
                    started.removeIf(earlier -> earlier.getState() == Thread.State.TERMINATED);
                    started.add(thread);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        // Only after close(): an application that cancels a call then is not to get an exception for it.
        threads.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(() -> run(task));
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.WARNING, "a cancel failed unexpectedly", e);
        } finally {
            Thread.interrupted(); // a hook may have left it set; the next cancel is not to suffer from it
        }
    }

    /** Lets queued cancels finish for at most {@code patience}; afterwards no thread is left that can be stopped. */
    public void close(Duration patience) {
        threads.shutdown();
        try {
            if (threads.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                // A pool has terminated a moment before its last threads have: whoever undeploys then would still find
                // them.
                for (Thread thread : started) {
                    thread.join(patience.toMillis());
                }
            } else {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        close(Duration.ofSeconds(5));
    }
}
