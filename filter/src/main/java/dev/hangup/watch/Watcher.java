package dev.hangup.watch;

import dev.hangup.call.CallScope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The event loop that watches callers and clocks: one daemon thread with one selector, on which all key operations happen. A call
 * younger than {@code grace} is never looked at; arrivals only join a queue and wake nobody, so the loop comes round by itself.
 * What blocks is handed to the {@link Canceller}.
 *
 * <p>Race: a {@code selectNow} in mid-loop may swallow a wake-up meant for the next select; so the flag that says "woken" is
 * cleared before the queue is drained, and the queue is looked at once more right before the select.
 */
public final class Watcher implements AutoCloseable {
    /** Between two looks at a channel that may be gone. FACTS: 2 ms and unchanged counters gave no false verdict. */
    public static final Duration SECOND_LOOK = Duration.ofMillis(2);

    private static final System.Logger LOG = System.getLogger("dev.hangup");
    private static final long SHORTEST_SLEEP = Duration.ofMillis(5).toNanos();
    private static final long LONGEST_SLEEP = Duration.ofMillis(50).toNanos();

    private final WatchHost host;
    private final boolean debugged = Debugger.attached();
    private final Selector selector;
    private final ChannelProbe probe;
    private final Thread thread;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private volatile boolean closed;
    private final Rounds rounds = new Rounds();

    /** These are touched by the watcher thread only. */
    private final Timers timers = new Timers();

    private final Roll roll = new Roll(timers);
    private final Reports reports = new Reports();
    private final Sources sources;
    private final @Nullable Scans scans;
    private final Witness witness;

    /** @param sources asked in this order for the way to a request's connection */
    public Watcher(List<CallerWatch.Source> sources, WatchHost host) {
        this.host = host;
        this.sources = new Sources(sources, reports, size -> {
            roll.workerThreads(size);
            host.workerThreads(size);
        });
        KernelTable kernel = host.kernel();
        scans = kernel == null ? null : new Scans(kernel, this);
        try {
            selector = Selector.open();
            try {
                probe = new ChannelProbe();
            } catch (IOException e) {
                selector.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no selector for the watcher", e);
        }
        witness = new Witness(scans, probe::isReset, host::contradicted);
        thread = new Thread(this::loop, "hangup-watcher");
        thread.setDaemon(true);
        thread.setContextClassLoader(Watcher.class.getClassLoader());
    }

    /** Starts the thread; once. */
    public void start() {
        thread.start();
    }

    /** A call has begun. Any thread; wakes nobody. After {@link #close} nothing is kept. */
    public void arrive(CallScope call) {
        roll.arrive(call);
    }

    /** Runs {@code task} on the watcher thread at {@code nanoTime} or soon after; it must not block. Never after {@link #close}. */
    public void at(long nanoTime, Runnable task) {
        command(() -> timers.at(nanoTime, task));
    }

    /** Whether the container's workers are nearly all busy, so that requests wait for them. Any thread. */
    public boolean isSaturated() {
        return roll.wasSaturated();
    }

    /** Whether the watch of this name has not been contradicted. Any thread. */
    public boolean believes(String watch) {
        return witness.believes(watch);
    }

    /** The longest time that the loop has spent between two selects: how late a departure can be seen. */
    public Duration longestRound() {
        return rounds.longest();
    }

    /** The calls that have not ended, as of now. Not on the watcher thread; empty if that is closed, or does not answer within a second. */
    public List<CallScope> alive() {
        if (closed) {
            return List.of();
        }
        FutureTask<List<CallScope>> answer = new FutureTask<>(roll::alive);
        command(answer);
        try {
            return answer.get(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, "the watcher does not say which calls are alive: {0}", String.valueOf(e));
        }
        return List.of();
    }

    /** Stops watching; deadlines no longer fire. Returns when the threads have ended, or after a second each. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join(1000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (scans != null) {
            scans.close();
        }
    }

    void command(Runnable command) {
        commands.add(command);
        if (closed) {
            commands.clear(); // added, then looked: the loop has let it go as it ended, or we do
        } else if (woken.compareAndSet(false, true)) {
            selector.wakeup();
        }
    }

    // ---- the loop

    /** One thing to do whose failure must not stop the loop. */
    interface Step {
        void run(Runnable action);
    }

    private void loop() {
        try (selector;
                probe) {
            while (!closed) {
                round();
            }
        } catch (IOException | ClosedSelectorException e) {
            if (!closed) {
                LOG.log(Level.ERROR, "the watcher has stopped: departures and deadlines are no longer seen", e);
            }
        } finally {
            // An engine that is closed but still referred to must not keep the calls of its last ten seconds.
            timers.clear();
            roll.close();
            commands.clear();
        }
    }

    /** What counts as busy begins when the select returns: a departure that comes now is seen in the next round. */
    private void round() throws IOException {
        select();
        long began = System.nanoTime();
        woken.set(false);
        Set<SelectionKey> selected = selector.selectedKeys();
        for (SelectionKey key : selected) {
            guarded(() -> ((Watched) key.attachment()).ready());
        }
        selected.clear();
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            guarded(command);
        }
        long graceNanos = graceNow();
        roll.eachArrival(call -> joinYoung(call, graceNanos));
        roll.eachOutgrown(began, graceNanos, slow -> guarded(() -> watch(slow)));
        timers.run(System.nanoTime(), this::guarded);
        rounds.took(System.nanoTime() - began);
    }

    private void select() throws IOException {
        long millis = (untilNext(graceNow()) + 999_999) / 1_000_000;
        if (millis <= 0 || !commands.isEmpty()) {
            selector.selectNow();
        } else {
            selector.select(millis);
        }
    }

    private long untilNext(long graceNanos) {
        long now = System.nanoTime();
        long sleep = timers.untilNext(now, Math.max(SHORTEST_SLEEP, Math.min(LONGEST_SLEEP, graceNanos / 2)));
        CallScope eldest = roll.young.peekFirst();
        return eldest == null ? sleep : Math.min(sleep, eldest.startedAt() + graceNanos - now);
    }

    /** Nobody is too young while the container's workers are nearly all busy: who waited in its queue is often gone on arrival. */
    private long graceNow() {
        return roll.isSaturated() ? 0 : host.grace().toNanos();
    }

    /** A deadline shorter than the grace: the call is looked at when it passes, not when it has outgrown its grace. */
    private void joinYoung(CallScope call, long graceNanos) {
        if (call.deadlineAt() - call.startedAt() < graceNanos) {
            timers.at(call.deadlineAt(), () -> {
                if (!call.isEnded()) {
                    watch(call);
                }
            });
        } else {
            roll.young.add(call);
        }
    }

    private void watch(CallScope call) {
        Watched older = new Watched(this, call);
        roll.watch(older);
        older.open();
    }

    void guarded(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.WARNING, "the watcher goes on after an unexpected failure", e);
        }
    }

    // ---- for Watched, on the watcher thread

    void closed(Watched over) {
        roll.over(over);
    }

    Selector selector() {
        return selector;
    }

    ChannelProbe probe() {
        return probe;
    }

    Timers timers() {
        return timers;
    }

    Sources sources() {
        return sources;
    }

    Reports reports() {
        return reports;
    }

    /** Null where there is no table of sockets to be read. */
    @Nullable
    Scans scans() {
        return scans;
    }

    Witness witness() {
        return witness;
    }

    @Nullable
    Probes keepAlive() {
        return host.keepAlive();
    }

    Duration grace() {
        return host.grace();
    }

    /** Deadlines must not fire while somebody steps through the code. Any thread. */
    public boolean debugged() {
        return debugged;
    }
}
