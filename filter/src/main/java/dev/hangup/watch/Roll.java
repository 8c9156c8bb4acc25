package dev.hangup.watch;

import dev.hangup.call.CallScope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The calls that the watcher knows. On the watcher thread, but for {@link #wasSaturated}. */
final class Roll {
    /** In the order of their arrival, still within their grace. */
    final Deque<CallScope> young = new ArrayDeque<>();

    /** Those that have outlived it, until their response is over. */
    final Set<Watched> watched = new HashSet<>();

    /** Those whose response is over while workers go on. */
    private final List<CallScope> lingering = new ArrayList<>();

    private final Saturation saturation = new Saturation();

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

    /** The response of this call is over. */
    void over(Watched older) {
        watched.remove(older);
        if (!older.call().isEnded()) {
            lingering.add(older.call());
        }
    }

    /** Lets go of those that have ended; true if some have not. */
    boolean stillLinger() {
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
    List<CallScope> alive(Collection<CallScope> arrivals) {
        List<CallScope> all = new ArrayList<>(young);
        all.addAll(arrivals);
        all.addAll(lingering);
        watched.forEach(older -> all.add(older.call()));
        all.removeIf(CallScope::isEnded);
        return all;
    }

    void clear() {
        young.clear();
        watched.clear();
        lingering.clear();
    }
}
