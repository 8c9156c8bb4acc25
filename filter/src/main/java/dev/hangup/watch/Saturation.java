package dev.hangup.watch;

import dev.hangup.call.CallScope;
import java.time.Duration;
import java.util.Collection;

/**
 * Whether a container's workers are nearly all busy, or were a moment ago: those who waited in its queue are taken from it when
 * workers become free. Used on the watcher thread only, but for {@link #wasReached}; counts at most every 10 ms.
 */
final class Saturation {
    private static final long COUNT_AGAIN = Duration.ofMillis(10).toNanos();
    /** A container's own: Jetty counts those that accept and select. */
    private static final int SPARE_THREADS = 4;

    private static final long QUEUE_EMPTIES = Duration.ofSeconds(1).toNanos();

    /** 0 while that is not known. */
    private int threads;

    private long countedAt = System.nanoTime();
    private long reachedAt = countedAt - QUEUE_EMPTIES;
    /** Written by the watcher. */
    private volatile boolean reached;

    /** @param size of the container's pool */
    void threads(int size) {
        threads = size;
    }

    boolean isReached(Collection<CallScope> young, Collection<Watched> older) {
        long now = System.nanoTime();
        if (now - countedAt > COUNT_AGAIN) {
            countedAt = now;
            if (threads > 0 && busy(young, older) >= Math.max(1, threads - Math.max(SPARE_THREADS, threads / 10))) {
                reachedAt = now;
            }
            reached = now - reachedAt < QUEUE_EMPTIES;
        }
        return reached;
    }

    /** As {@link #isReached} has found it last. Any thread. */
    boolean wasReached() {
        return reached;
    }

    private static int busy(Collection<CallScope> young, Collection<Watched> older) {
        int busy = 0;
        for (CallScope call : young) {
            busy += call.workers() > 0 ? 1 : 0;
        }
        for (Watched call : older) {
            busy += call.call().workers() > 0 ? 1 : 0;
        }
        return busy;
    }
}
