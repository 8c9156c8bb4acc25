package dev.hangup.tune;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What was counted of one route in one window, run by run. */
final class Series {

    final Route route;
    final String window;
    /** The value in force; null if none is known. */
    final @Nullable Duration current;

    /** Where buckets were counted and not calls: what the slowest successes are known to have taken more than, in milliseconds. */
    @Nullable
    Long slowestBucket;

    final Map<Long, Cells> runs = new TreeMap<>();
    private long lastRun = Long.MIN_VALUE;
    private @Nullable Cells last;

    Series(Route route, String window, @Nullable Duration current) {
        this.route = route;
        this.window = window;
        this.current = current;
    }

    /** The run's, or null if it is the first call of one. */
    @Nullable
    Cells in(long run) {
        if (run != lastRun || last == null) {
            last = runs.get(run);
            lastRun = run;
        }
        return last;
    }

    Cells begin(long run) {
        Cells cells = new Cells();
        runs.put(run, cells);
        last = cells;
        lastRun = run;
        return cells;
    }

    /** All runs together. */
    Cells whole() {
        Cells whole = new Cells();
        runs.values().forEach(whole::add);
        return whole;
    }
}
