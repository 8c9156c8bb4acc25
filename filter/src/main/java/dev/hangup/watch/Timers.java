package dev.hangup.watch;

import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What is due when. Used on the watcher thread only. A tree, so that a call that ends takes its timer with it at once. */
final class Timers {
    private final TreeSet<Timer> timers =
            new TreeSet<>(Comparator.<Timer>naturalOrder().thenComparingLong(timer -> timer.number));
    private long count;

    Timer at(long nanoTime, Runnable action) {
        Timer timer = new Timer(nanoTime, count++, action);
        timers.add(timer);
        return timer;
    }

    void cancel(@Nullable Timer timer) {
        if (timer != null) {
            timers.remove(timer);
        }
    }

    /** Nanoseconds until the first timer, at most {@code most}; zero or less if one is due. */
    long untilNext(long now, long most) {
        return timers.isEmpty() ? most : Math.min(most, timers.first().at - now);
    }

    /** Runs what is due, in order; what an action schedules for now runs in the next round. */
    void run(long now, Watcher.Step step) {
        long until = count;
        while (!timers.isEmpty()) {
            Timer first = timers.first();
            if (first.at - now > 0 || first.number >= until) {
                return;
            }
            timers.pollFirst();
            step.run(first.action);
        }
    }

    void clear() {
        timers.clear();
    }

    /** Compared by difference, because nanoTime may wrap. */
    static final class Timer implements Comparable<Timer> {
        private final long at;
        private final long number;
        private final Runnable action;

        private Timer(long at, long number, Runnable action) {
            this.at = at;
            this.number = number;
            this.action = action;
        }

        @Override
        public int compareTo(Timer other) {
            return Long.signum(at - other.at);
        }
    }
}
