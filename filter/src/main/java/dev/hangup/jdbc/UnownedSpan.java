package dev.hangup.jdbc;

import dev.hangup.call.CallScope;
import java.util.concurrent.atomic.AtomicLong;

/**
 * For how long one borrowed connection has been held by a call that nobody waits for. Whoever asks (a scrape) or ends it (the
 * return) moves the mark forward by CAS and keeps what lies between: each nanosecond is counted once, and no lock is taken.
 */
final class UnownedSpan {
    private static final long NOT_BEGUN = Long.MIN_VALUE;
    private static final long CLOSED = Long.MIN_VALUE + 1;

    private final CallScope call;
    private final long borrowedAt;
    private final AtomicLong countedTo = new AtomicLong(NOT_BEGUN);

    UnownedSpan(CallScope call) {
        this.call = call;
        this.borrowedAt = System.nanoTime();
    }

    /** Whether the connection is held unowned right now. */
    boolean isUnowned() {
        return countedTo.get() != CLOSED && isCallUnowned();
    }

    /** Nanoseconds that nobody has counted yet. */
    long take() {
        return count(false);
    }

    /** As {@link #take()}, and nothing is counted afterwards. The first to close gets the rest. */
    long close() {
        return count(true);
    }

    private long count(boolean last) {
        for (; ; ) {
            long from = countedTo.get();
            if (from == CLOSED) {
                return 0;
            }
            boolean unowned = isCallUnowned();
            long now = System.nanoTime();
            long start = from == NOT_BEGUN ? start() : from;
            long nanos = unowned ? Math.max(0, now - start) : 0;
            long to = last ? CLOSED : nanos > 0 ? now : from;
            if (countedTo.compareAndSet(from, to)) {
                return nanos;
            }
        }
    }

    private long start() {
        long unownedSince = call.unownedSince();
        return unownedSince - borrowedAt > 0 ? unownedSince : borrowedAt;
    }

    private boolean isCallUnowned() {
        return call.unownedSince() != 0 && !call.isDetached();
    }
}
