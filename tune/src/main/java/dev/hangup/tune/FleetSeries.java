package dev.hangup.tune;

import dev.hangup.tune.prometheus.Buckets;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What the histograms of a fleet have counted of one route in one window. A bucket is not a sample: what is in one is spread evenly
 * over it, as {@code histogram_quantile} does, so that a value found within a bucket is known no better than the bucket is wide.
 */
final class FleetSeries {

    /** Parts of a bucket that are told apart. */
    private static final long PARTS = 100;
    /** How near to the value in force a gateway's answer must be for the call to count as killed by it. */
    private static final double NEAR = 0.1;

    private final Series series;
    private final Map<Long, Map<Kind, Buckets>> runs = new TreeMap<>();

    /** What a histogram's calls have come to. */
    enum Kind {
        ANSWERED,
        /** As the status says; where Hangup has counted the callers' patience, that counts instead. */
        LEFT,
        /** By a deadline, if it took about as long. */
        KILLED,
        FAILED,
        PATIENCE,
        /** As Hangup tells it, which counts where nobody else has counted the endpoint's requests; the next the same. */
        COMPLETED,
        DEADLINE
    }

    FleetSeries(Series series) {
        this.series = series;
    }

    Buckets in(long run, Kind kind) {
        return runs.computeIfAbsent(run, number -> new EnumMap<>(Kind.class))
                .computeIfAbsent(kind, none -> new Buckets());
    }

    /** The counts as a log would have given them. */
    Series counted() {
        boolean watched = has(Kind.PATIENCE);
        boolean requests = has(Kind.ANSWERED);
        runs.forEach((run, kinds) -> {
            Cells cells = series.begin(run);
            kinds.forEach((kind, buckets) -> {
                boolean twice = (kind == Kind.LEFT && watched)
                        || (requests && (kind == Kind.COMPLETED || kind == Kind.DEADLINE));
                if (!twice) {
                    buckets.buckets().forEach(bucket -> count(cells, kind, bucket));
                }
            });
        });
        return series;
    }

    private boolean has(Kind kind) {
        return runs.values().stream()
                .flatMap(kinds -> kinds.getOrDefault(kind, new Buckets()).buckets().stream())
                .anyMatch(bucket -> bucket.count() > 0);
    }

    private void count(Cells cells, Kind kind, Buckets.Bucket bucket) {
        if (bucket.count() <= 0) {
            return;
        }
        switch (kind) {
            case ANSWERED, COMPLETED -> {
                if (Double.isInfinite(bucket.upTo())) {
                    // All that is known is that they had not finished by then.
                    cells.departures.add(millis(bucket.above()), bucket.count());
                } else {
                    long above = millis(bucket.above());
                    series.slowestBucket = series.slowestBucket == null ? above : Math.max(series.slowestBucket, above);
                    spread(cells.successes, bucket);
                }
            }
            case LEFT, PATIENCE -> spread(cells.departures, bucket);
            case KILLED, DEADLINE -> spread(isNear(bucket) ? cells.departures : cells.errors, bucket);
            case FAILED -> spread(cells.errors, bucket);
        }
    }

    private boolean isNear(Buckets.Bucket bucket) {
        if (series.current == null) {
            return false;
        }
        double current = series.current.toMillis() / 1e3;
        return current >= bucket.above() * (1 - NEAR) && current <= bucket.upTo() * (1 + NEAR);
    }

    /** The last part is at the upper bound itself, so that there the share is exactly the histogram's. */
    private static void spread(Histogram into, Buckets.Bucket bucket) {
        long count = bucket.count();
        if (Double.isInfinite(bucket.upTo())) {
            into.add(millis(bucket.above()), count);
            return;
        }
        long parts = Math.min(count, PARTS);
        for (long part = 1; part <= parts; part++) {
            double at = bucket.above() + (bucket.upTo() - bucket.above()) * part / parts;
            into.add(millis(at), count * part / parts - count * (part - 1) / parts);
        }
    }

    private static long millis(double seconds) {
        return (long) Math.ceil(seconds * 1_000 - 1e-6);
    }

    /** How well a finding is known: the bucket in which its value lies, and the shares at both ends. */
    Map<String, Object> interpolation(Finding finding, double value) {
        TreeSet<Double> bounds = new TreeSet<>(List.of(0.0));
        runs.values().forEach(kinds -> Stream.of(Kind.ANSWERED, Kind.COMPLETED)
                .flatMap(kind -> kinds.getOrDefault(kind, new Buckets()).buckets().stream())
                .forEach(bucket -> bounds.add(bucket.upTo())));
        Survival survival = new Survival(finding.successes(), finding.departures());
        Double above = bounds.lower(value);
        Double upTo = bounds.ceiling(value);
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("above", above == null ? 0.0 : above);
        map.put("rate_above", above == null ? 0.0 : survival.finishedBy(millis(above)));
        if (upTo != null && !Double.isInfinite(upTo)) {
            map.put("up_to", upTo);
            map.put("rate_up_to", survival.finishedBy(millis(upTo)));
        }
        return map;
    }
}
