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
 * </pre>
 *
 * At SHUT(0) the response is his who shut it. Whoever finds it occupied need not wait: he leaves word by shutting it, and the
 * last to leave learns of that.
 */
final class Turnstile {
    private static final int SHUT = 1 << 30;

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

    /** Pairs with a successful {@link #enter}, on the same thread. True for the one who leaves it shut and empty. */
    boolean leave() {
        INSIDE.set(null);
        return STATE.decrementAndGet(this) == SHUT;
    }

    /** Nobody gets in any more. True if nobody is inside, either. */
    boolean shut() {
        return STATE.updateAndGet(this, seen -> seen | SHUT) == SHUT;
    }

    boolean isOccupied() {
        return (state & ~SHUT) > 0;
    }

    /** Waits until nobody else is inside; false if somebody still is when the time is over. */
    boolean awaitOthers(Duration atMost) {
        int self = INSIDE.get() == this ? 1 : 0;
        long began = System.nanoTime();
        while ((state & ~SHUT) > self) {
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
