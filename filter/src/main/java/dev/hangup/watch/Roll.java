package dev.hangup.watch;

import dev.hangup.call.CallScope;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** The calls that the watcher knows. On the watcher thread, but for {@link #arrive}, {@link #wasSaturated} and {@link #close}. */
final class Roll {
    private static final Duration FORGET = Duration.ofMillis(500);
    private static final Duration CHECK = Duration.ofSeconds(1);

    private final Timers timers;

    /** Those that have just begun. */
    private final Queue<CallScope> arrivals = new ConcurrentLinkedQueue<>();

    /** In the order of their arrival, still within their grace. */
    final Deque<CallScope> young = new ArrayDeque<>();

    /** Those that have outlived it, until their response is over. */
    private final Set<Watched> watched = new HashSet<>();

    /** Those whose response is over while workers go on. */
    private final List<CallScope> lingering = new ArrayList<>();

    private boolean checking;
    private boolean forgetting;

    private final Saturation saturation = new Saturation();

    private volatile boolean closed;

    Roll(Timers timers) {
        this.timers = timers;
    }

    /** Any thread. */
    void arrive(CallScope call) {
        arrivals.add(call);
        if (closed) {
            arrivals.clear(); // added, then looked: whoever closes has let it go, or we do
        }
    }

    void eachArrival(Consumer<CallScope> join) {
        for (CallScope call = arrivals.poll(); call != null; call = arrivals.poll()) {
            join.accept(call);
        }
    }

    /** Takes those that have outgrown their grace. Fast calls have ended by now and are dropped here: this is all that they ever cost the watcher. */
    void eachOutgrown(long now, long graceNanos, Consumer<CallScope> watch) {
        for (CallScope call = young.peekFirst(); call != null; call = young.peekFirst()) {
            if (!call.isEnded()) {
                if (now - call.startedAt() < graceNanos) {
                    return;
                }
                watch.accept(call);
            }
            young.pollFirst();
        }
    }

    /** This one is watched from now on. */
    void watch(Watched older) {
        watched.add(older);
        if (!checking) {
            checkLater();
        }
    }

    private void checkLater() {
        checking = !watched.isEmpty();
        if (checking) {
            timers.at(System.nanoTime() + CHECK.toNanos(), this::check);
        }
    }

    /** A channel that its container has closed is ready for nothing any more, and selects nobody. */
    private void check() {
        checkLater();
        List.copyOf(watched).forEach(Watched::check);
    }

    /** The response of this call is over. */
    void over(Watched older) {
        watched.remove(older);
        if (!older.call().isEnded()) {
            lingering.add(older.call());
        }
        if (!forgetting && stillLinger()) {
            forgetting = true;
            timers.at(System.nanoTime() + FORGET.toNanos(), this::forget);
        }
    }

    /** Until none lingers: nobody else would let go of the last ones. */
    private void forget() {
        forgetting = stillLinger();
        if (forgetting) {
            timers.at(System.nanoTime() + FORGET.toNanos(), this::forget);
        }
    }

    /** Lets go of those that have ended; true if some have not. */
    private boolean stillLinger() {
        lingering.removeIf(CallScope::isEnded);
        return !lingering.isEmpty();
    }

    /** @param size of the container's pool */
    void workerThreads(int size) {
        saturation.threads(size);
    }

    boolean isSaturated() {
        return saturation.isReached(young, watched);
    }

    /** Any thread. */
    boolean wasSaturated() {
        return saturation.wasReached();
    }

    /** Those that have not ended. */
    List<CallScope> alive() {
        List<CallScope> all = new ArrayList<>(young);
        all.addAll(arrivals);
        all.addAll(lingering);
        watched.forEach(older -> all.add(older.call()));
        all.removeIf(CallScope::isEnded);
        return all;
    }

    /** Lets all go, and takes none any more. When the watcher has ended, or as it ends. */
    void close() {
        closed = true;
        arrivals.clear();
        young.clear();
        watched.clear();
        lingering.clear();
    }
}
