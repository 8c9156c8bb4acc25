package dev.hangup;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Who is inside the container's response just now, which bears one thread at a time.
 *
 * <pre>
 *   OPEN(n) --enter--> OPEN(n+1)      OPEN(n) --leave--> OPEN(n-1)
 *   OPEN(n) --shut-->  SHUT(n)        SHUT(n) --leave--> SHUT(n-1)
 *                                     SHUT(0) --enterAlone--> SHUT(1)
 *   any(n) --close--> CLOSED(n)       CLOSED(n) --leave--> CLOSED(n-1)
 * </pre>
 *
 * At SHUT(0) the response is his who shut it. Whoever finds it occupied need not wait: he leaves word by shutting it, and the
 * last to leave learns of that. At CLOSED(0) the response is the container's.
 */
final class Turnstile {
    private static final int SHUT = 1 << 30;
    /** Set with SHUT. */
    private static final int CLOSED = 1 << 29;
    /** How many are inside. */
    private static final int COUNT = CLOSED - 1;

    /** Where the thread is inside, innermost. Set to null, not removed, on leaving: the value is what would hold memory. */
    private static final ThreadLocal<@Nullable Turnstile> INSIDE = new ThreadLocal<>();

    private static final AtomicIntegerFieldUpdater<Turnstile> STATE =
            AtomicIntegerFieldUpdater.newUpdater(Turnstile.class, "state");

    private volatile int state;

    /** False once it is shut. */
    boolean enter() {
        for (; ; ) {
            int seen = state;
            if (seen >= SHUT) {
                return false;
            }
            if (STATE.compareAndSet(this, seen, seen + 1)) {
                INSIDE.set(this);
                return true;
            }
        }
    }

    /** Gets in where it is shut and empty, as the only one; false once it is closed. */
    boolean enterAlone() {
        if (STATE.compareAndSet(this, SHUT, SHUT + 1)) {
            INSIDE.set(this);
            return true;
        }
        return false;
    }

    /** Pairs with a successful {@link #enter} or {@link #enterAlone}, on the same thread. True for the one who leaves it shut and empty, but not closed. */
    boolean leave() {
        INSIDE.set(null);
        return STATE.decrementAndGet(this) == SHUT;
    }

    /** Nobody gets in any more, except alone. True if nobody is inside, either. */
    boolean shut() {
        return STATE.updateAndGet(this, seen -> seen | SHUT) == SHUT;
    }

    /** Nobody at all gets in any more. */
    void close() {
        STATE.updateAndGet(this, seen -> seen | SHUT | CLOSED);
    }

    boolean isOccupied() {
        return (state & COUNT) > 0;
    }

    /** Waits until nobody else is inside; false if somebody still is when the time is over. */
    boolean awaitOthers(Duration atMost) {
        int self = INSIDE.get() == this ? 1 : 0;
        long began = System.nanoTime();
        while ((state & COUNT) > self) {
            if (System.nanoTime() - began > atMost.toNanos()) {
                return false;
            }
            pause();
        }
        return true;
    }

    /** Not parked, because a pending interrupt would end every park. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void pause() {
        Thread.yield();
    }
}
