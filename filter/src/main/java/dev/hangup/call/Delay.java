package dev.hangup.call;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * What is to be done in a while, with or without a call. Threads of our own, gone a second after the last of it: the JDK's, behind
 * {@code orTimeout} and {@code delayedExecutor}, lives as long as the JVM, and with it the class loader of whoever needed it first,
 * which may be that of an application long taken away.
 */
public final class Delay {
    /**
     * One for each that is due. The common pool is not ours to wait for: the application may block in it for as long as it likes; nor
     * is the timer, which the others wait for.
     */
    private static final Executor WORKERS = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> thread("hangup-late", task));

    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private Delay() {}

    /**
     * Runs {@code task} once {@code time} has passed, on a thread of its own. What it throws ends that thread. Any thread; does not
     * block.
     *
     * @return cancelled, it keeps the task from running if it has not begun, and holds it no longer
     */
    public static Future<?> run(Duration time, Runnable task) {
        return TIMER.schedule(() -> WORKERS.execute(task), time.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> thread("hangup-delay", task));
        timer.setKeepAliveTime(1, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /** Started from whatever thread comes first, whose class loader it must not keep. */
    private static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setContextClassLoader(Delay.class.getClassLoader());
        return thread;
    }
}
