package dev.hangup.jdbc;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many connections a storm of cancels may cost its pool: a tenth of them per second, at least one. Counted as the instant up
 * to which the budget is spent, moved on by CAS. Without a known size there is no limit.
 */
final class EvictionBudget {
    private static final long SECOND = 1_000_000_000;

    private final AtomicLong spentTo = new AtomicLong(System.nanoTime() - SECOND);

    /** Takes one, if there is one. Any thread. */
    boolean take(int poolSize) {
        if (poolSize <= 0) {
            return true;
        }
        long price = SECOND / Math.max(1, poolSize / 10);
        for (; ; ) {
            long spent = spentTo.get();
            long now = System.nanoTime();
            long from = Math.max(spent - now, -SECOND) + now;
            if (from + price - now > 0) {
                return false;
            }
            if (spentTo.compareAndSet(spent, from + price)) {
                return true;
            }
        }
    }
}
