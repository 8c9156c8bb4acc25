package dev.hangup.tune;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** From counts to recommendations. */
final class Recommender {

    static final Comparator<Series> ORDER = Comparator.comparing((Series it) -> it.route.name())
            .thenComparing(it -> !it.window.equals("normal"))
            .thenComparing(it -> it.window);
    private static final double TAIL = 0.99;
    /** What ends within this part above the value in force may have ended by it. */
    private static final long NEAR = 10;

    private final Search search;
    private final Targets targets;

    Recommender(Search search, Targets targets) {
        this.search = search;
        this.targets = targets;
    }

    List<Finding> findings(Tally tally, Runs runs) {
        return tally.series().stream()
                .sorted(ORDER)
                .map(series -> finding(series, runs))
                .toList();
    }

    Finding finding(Series series, Runs runs) {
        Cells whole = series.whole();
        Survival survival = new Survival(whole.successes, whole.departures);
        double target = targets.ofCall(series.window);
        boolean enough = survival.samples() >= targets.minSamples();
        Long found = enough ? search.find(survival, target) : null;
        Long current = series.current == null ? null : series.current.toMillis();
        Tail tail = tail(whole, survival, current, found);
        boolean stays = found != null
                && isOfErrors(tail, survival.samples() + whole.errors.total(), target)
                && (current == null || found <= current || Search.meets(survival.finishedBy(current), target));
        Long value = stays && current != null ? current : found;
        boolean meets = value != null && Search.meets(survival.finishedBy(value), target);
        Issue issue = value == null
                ? Issue.INSUFFICIENT_SAMPLES
                : stays ? Issue.ERRORS_IN_TAIL : meets ? null : Issue.SHORT_OF_TARGET;
        Grounds grounds = new Grounds(search, survival, target, current, reach(series, whole, survival));
        List<Run> considered = value == null ? List.of() : considered(series, runs, value);
        Recommendation recommendation = new Recommendation(
                series.route.name(),
                series.window,
                survival.samples(),
                span(survival.percentile(0.95)),
                span(survival.percentile(0.99)),
                series.current,
                value == null ? null : Duration.ofMillis(value),
                value == null ? null : survival.finishedBy(value),
                issue,
                grounds.decision(value),
                stability(considered, target),
                tail,
                new Details(search, targets, series.window, whole, survival).map(value, issue, grounds));
        return new Finding(
                recommendation,
                whole.successes,
                whole.departures,
                whole.errors,
                search.floor() == null ? null : Duration.ofMillis(search.floor()),
                search.cap() == null ? null : Duration.ofMillis(search.cap()),
                considered);
    }

    private static @Nullable Duration span(long millis) {
        return millis < 0 ? null : Duration.ofMillis(millis);
    }

    /**
     * The slowest success of which it is known. Where calls were killed at the value in force and none succeeded clearly later, those
     * that did succeed a little later had finished by then; of a fleet's, those in the bucket that the value lies in.
     */
    private static long reach(Series series, Cells whole, Survival survival) {
        long slowest = survival.slowest();
        if (series.current == null || slowest <= series.current.toMillis()) {
            return slowest;
        }
        long current = series.current.toMillis();
        Long bucket = series.slowestBucket;
        long near = bucket == null ? current + current / NEAR : bucket <= current ? slowest : current;
        boolean cuts =
                slowest <= near && within(whole.departures, current, near) + within(whole.errors, current, near) > 0;
        return cuts ? current : slowest;
    }

    private static long within(Histogram histogram, long from, long to) {
        return above(histogram, from - 1) - above(histogram, to);
    }

    private Tail tail(Cells whole, Survival survival, @Nullable Long current, @Nullable Long found) {
        Long floor = search.floor();
        long beyond = floor == null ? survival.percentile(TAIL) : floor;
        if (current != null) {
            beyond = found == null ? current : Math.min(current, found);
        }
        return new Tail(above(whole.errors, beyond), above(whole.successes, beyond), whole.departures.total());
    }

    /** Whether errors are most of it, and so many that the target would be missed if they counted. */
    private static boolean isOfErrors(Tail tail, long calls, double target) {
        return tail.errors() > tail.slow() + tail.departures() && tail.errors() > (1 - target) * calls;
    }

    private static long above(Histogram histogram, long millis) {
        int[] values = histogram.values();
        long[] counts = histogram.counts();
        long sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += values[i] > millis ? counts[i] : 0;
        }
        return sum;
    }

    private List<Run> considered(Series series, Runs runs, long value) {
        List<Run> considered = new ArrayList<>();
        for (Map.Entry<Long, Cells> run : series.runs.entrySet()) {
            Cells cells = run.getValue();
            if (cells.samples() >= targets.minSamples()) {
                double rate = new Survival(cells.successes, cells.departures).finishedBy(value);
                considered.add(new Run(runs.name(run.getKey()), cells.samples(), rate));
            }
        }
        considered.sort(Comparator.comparing(Run::name));
        return considered;
    }

    private static Stability stability(List<Run> runs, double target) {
        if (runs.isEmpty()) {
            return Stability.NONE;
        }
        return new Stability(
                runs.size(),
                (int) runs.stream()
                        .filter(run -> Search.meets(run.rate(), target))
                        .count(),
                runs.stream().mapToDouble(Run::rate).min().orElseThrow(),
                runs.stream().mapToDouble(Run::rate).max().orElseThrow());
    }
}
