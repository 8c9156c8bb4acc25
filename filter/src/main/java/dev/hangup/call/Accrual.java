package dev.hangup.call;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A stretch of time that is taken piece by piece while it lasts, each nanosecond of it by exactly one taker. Who adds what he
 * takes to a sum has a sum that never falls, is up to date whenever somebody has just taken, and is exact at the end. Safe for
 * any thread, without a lock. All instants are {@link System#nanoTime()} values.
 *
 * <p>Race: a taker may have moved the mark and not yet added its piece when another reads the sum. The sum then lags by that
 * piece; it never holds it twice.
 */
public final class Accrual {
    /** No instant of ours is 0. */
    private static final long CLOSED = 0;

    /** Up to here it is taken. Moved by takers, closed once. */
    private final AtomicLong until;

    /** @param since where the stretch begins; not 0 */
    public Accrual(long since) {
        this.until = new AtomicLong(since);
    }

    /** Nanoseconds from the last taking to {@code now}; 0 if another thread took them, if it is closed, or if they are negative. */
    public long take(long now) {
        long seen = until.get();
        return seen != CLOSED && now - seen > 0 && until.compareAndSet(seen, now) ? now - seen : 0;
    }

    /** Nanoseconds from the last taking to {@code end}, not negative; from now on there is nothing to take. 0 if it was closed before. */
    public long close(long end) {
        long seen = until.getAndSet(CLOSED);
        return seen == CLOSED ? 0 : Math.max(0, end - seen);
    }
}
