package dev.hangup.tune;

import dev.hangup.tune.log.LogLine;
import dev.hangup.tune.log.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts calls by route, window and run. Takes memory for the different values that it sees, not for calls, and refuses to go on
 * where even that is too much. Not for several threads.
 */
final class Tally {

    /** Of counts alone. */
    private static final long MOST_BYTES = 96L << 20;

    private static final long MOST_CELLS = 100_000;
    private static final long BETWEEN_LOOKS = 1 << 18;
    /** An answer of a gateway that gave up is a killed call if it comes this close to the value in force. */
    private static final double NEAR = 0.1;

    private final WindowClock clock;
    private final Router router;
    private final Runs runs;
    private final boolean upstream;
    private final long sinceMillis;
    private final IdentityHashMap<Route, List<@Nullable Series>> series = new IdentityHashMap<>();
    private final Map<String, Long> leftOut = new TreeMap<>();
    private Route lastRoute = Route.NONE;
    private List<@Nullable Series> lastSeries = List.of();
    private long cells;
    private long calls;
    private long unmatched;
    private long older;
    private long upgraded;
    private long retried;

    /**
     * @param upstream whether the time of what is behind a proxy is meant
     * @param sinceMillis calls that began before are passed over
     */
    Tally(WindowClock clock, Router router, Runs runs, boolean upstream, long sinceMillis) {
        this.clock = clock;
        this.router = router;
        this.runs = runs;
        this.upstream = upstream;
        this.sinceMillis = sinceMillis;
    }

    void add(LogLine line) {
        if (++calls % BETWEEN_LOOKS == 0) {
            look();
        }
        long start = line.startMillis();
        if (start < sinceMillis) {
            older++;
            return;
        }
        Outcome outcome = line.outcome();
        if (outcome == Outcome.UPGRADED) {
            upgraded++;
            return;
        }
        Route route = router.route(line);
        if (route == Route.NONE) {
            unmatched++;
            return;
        }
        if (route.leftOut() != null) {
            leftOut.merge(route.name() + ": " + route.leftOut(), 1L, Long::sum);
            return;
        }
        if (line.attempts() > 1) {
            retried++;
        }
        long millis = ((upstream ? line.upstreamMicros() : line.micros()) + 999) / 1_000;
        Series at = series(route, clock.windowAt(start));
        Cells in = at.in(runs.of(line));
        count(in == null ? begin(at, runs.of(line)) : in, outcome, millis, line.timedOut(), at.current);
    }

    private static void count(Cells cells, Outcome outcome, long millis, boolean timedOut, @Nullable Duration current) {
        if (outcome == Outcome.SUCCEEDED) {
            cells.successes.add(millis);
        } else if (outcome == Outcome.DEPARTED || (timedOut && isNear(millis, current))) {
            cells.departures.add(millis);
        } else {
            cells.errors.add(millis);
        }
    }

    private static boolean isNear(long millis, @Nullable Duration current) {
        return current != null && Math.abs(millis - current.toMillis()) <= current.toMillis() * NEAR;
    }

    private Series series(Route route, int window) {
        if (route != lastRoute) {
            lastRoute = route;
            lastSeries = series.computeIfAbsent(route, each -> new ArrayList<>());
        }
        while (lastSeries.size() <= window) {
            lastSeries.add(null);
        }
        Series found = lastSeries.get(window);
        if (found == null) {
            found = new Series(route, clock.name(window), clock.in(window, () -> route.inForce()));
            lastSeries.set(window, found);
        }
        return found;
    }

    private Cells begin(Series series, long run) {
        if (++cells > MOST_CELLS) {
            throw tooMuch();
        }
        return series.begin(run);
    }

    private void look() {
        long bytes = series().stream()
                .flatMap(each -> each.runs.values().stream())
                .mapToLong(Cells::size)
                .sum();
        if (bytes > MOST_BYTES) {
            throw tooMuch();
        }
    }

    private UnreadableInput tooMuch() {
        return new UnreadableInput("too many endpoints, windows and runs to keep apart (" + cells
                + "); choose a coarser --run-by, or fewer templates");
    }

    /** All that something was counted of, in no order. */
    List<Series> series() {
        List<Series> all = new ArrayList<>();
        for (List<@Nullable Series> windows : series.values()) {
            for (Series each : windows) {
                if (each != null) {
                    all.add(each);
                }
            }
        }
        return all;
    }

    /** What was not counted, in words. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        note(notes, unmatched, "calls of no endpoint or source that is known");
        note(notes, older, "calls before --since");
        note(notes, upgraded, "calls that became something else (101), left out");
        leftOut.forEach((name, count) -> note(notes, count, "calls left out: " + name));
        note(notes, retried, "calls that the proxy tried more than once; their attempts are added up");
        return notes;
    }

    private static void note(List<String> notes, long count, String what) {
        if (count > 0) {
            notes.add(count + " " + (count == 1 ? what.replaceFirst("^calls", "call") : what));
        }
    }
}
