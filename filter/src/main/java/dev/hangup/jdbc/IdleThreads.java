package dev.hangup.jdbc;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A few daemon threads that go when they have been idle for a while, or when an engine is closed. The queue has no bound, and
 * nothing is dropped: other engines may go on with the same pool.
 */
final class IdleThreads implements Executor {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final String name;
    private final Duration idle;
    private final Runnable last;
    private final ThreadPoolExecutor threads;
    private final AtomicInteger count = new AtomicInteger();
    /** Those that live, and some that have ended. */
    private final Set<Thread> started = ConcurrentHashMap.newKeySet();

    /** @param last what each thread does before it ends */
    IdleThreads(String name, int most, Duration idle, Runnable last) {
        this.name = name;
        this.idle = idle;
        this.last = last;
        threads = new ThreadPoolExecutor(
                most, most, idle.toNanos(), TimeUnit.NANOSECONDS, new LinkedBlockingQueue<>(), this::thread);
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** Starts one more, for this task alone. */
    void apart(Runnable task) {
        thread(task).start();
    }

    /** Ends those that are idle now, and waits a moment for it. Whatever is given to them later runs as before. */
    void letGo() {
        threads.setKeepAliveTime(1, TimeUnit.NANOSECONDS);
        long end = System.nanoTime() + PATIENCE.toNanos();
        try {
            for (Thread thread : started) {
                thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            threads.setKeepAliveTime(idle.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private Thread thread(Runnable task) {
        Runnable toTheEnd = () -> {
            try {
                task.run();
            } finally {
                last.run();
            }
        };
        Thread thread = new Thread(toTheEnd, name + "-" + count.incrementAndGet());
        thread.setDaemon(true);
        // Started from whatever thread comes first: it must not keep that one's class loader.
        thread.setContextClassLoader(IdleThreads.class.getClassLoader());
        started.removeIf(earlier -> earlier.getState() == Thread.State.TERMINATED);
        started.add(thread);
        return thread;
    }
}
