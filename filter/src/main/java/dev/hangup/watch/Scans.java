package dev.hangup.watch;

import dev.hangup.watch.KernelTable.State;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's table, read for all who ask together: never twice within {@link #PAUSE}, only while somebody asks, and on a thread
 * of its own that is gone when nobody does. Answers come back to the watcher. All methods on the watcher thread, but for
 * {@link #close}.
 *
 * <p>A question is answered by a reading that began after it was asked.
 */
final class Scans implements AutoCloseable {
    static final Duration PAUSE = Duration.ofMillis(250);

    private static final System.Logger LOG = System.getLogger("dev.hangup");
    private static final Duration IDLE = Duration.ofSeconds(2);
    /** A reading that takes longer than this part of the pause makes the pause longer: a sixth of a core is the most that it may cost. */
    private static final int REST = 6;

    private final KernelTable table;
    private final Watcher watcher;
    private final ThreadPoolExecutor thread;
    /** The last one that was started. */
    private volatile @Nullable Thread started;

    private Set<Question> asked = new LinkedHashSet<>();
    private boolean reading;
    private Timers.@Nullable Timer next;
    private long notBefore = System.nanoTime();
    private boolean failed;

    /** Who wants to know what the table says of a connection. */
    interface Question {
        Route route();

        /** On the watcher thread; once, unless it is asked again. Null: the table could not be read. */
        void answered(@Nullable State state);
    }

    Scans(KernelTable table, Watcher watcher) {
        this.table = table;
        this.watcher = watcher;
        thread = new ThreadPoolExecutor(
                1, 1, IDLE.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), this::thread);
        thread.allowCoreThreadTimeOut(true);
        thread.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy()); // after close
    }

    private Thread thread(Runnable task) {
        Thread made = new Thread(task, "hangup-sockets");
        made.setDaemon(true);
        made.setContextClassLoader(Scans.class.getClassLoader());
        started = made;
        return made;
    }

    void ask(Question question) {
        asked.add(question);
        schedule();
    }

    void withdraw(Question question) {
        asked.remove(question);
    }

    private void schedule() {
        if (!reading && next == null && !asked.isEmpty()) {
            next = watcher.timers().at(notBefore, this::begin);
        }
    }

    private void begin() {
        next = null;
        if (asked.isEmpty()) {
            return;
        }
        Set<Question> questions = asked;
        asked = new LinkedHashSet<>();
        reading = true;
        thread.execute(() -> read(questions));
    }

    /** On the scanning thread. */
    private void read(Set<Question> questions) {
        long began = System.nanoTime();
        Set<Route> routes = new HashSet<>();
        questions.forEach(question -> routes.add(question.route()));
        Map<Route, State> found = new HashMap<>();
        try {
            found.putAll(table.states(routes));
        } catch (IOException | RuntimeException e) {
            report(e);
        }
        long took = System.nanoTime() - began;
        watcher.command(() -> answer(questions, found, began + Math.max(PAUSE.toNanos(), REST * took)));
    }

    private void report(Exception e) {
        if (!failed && !thread.isShutdown()) {
            failed = true;
            LOG.log(Level.WARNING, "the table of sockets cannot be read: {0}", String.valueOf(e));
        }
    }

    private void answer(Set<Question> questions, Map<Route, State> found, long notBefore) {
        reading = false;
        this.notBefore = notBefore;
        for (Question question : questions) {
            watcher.guarded(() -> question.answered(found.get(question.route())));
        }
        schedule();
    }

    /** Returns when the thread has ended, or after a second. Not on the watcher, which has ended by now. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            Thread last = started;
            if (last != null) {
                last.join(1000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
