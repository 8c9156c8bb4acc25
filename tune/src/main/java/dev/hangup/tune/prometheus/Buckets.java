package dev.hangup.tune.prometheus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a classic histogram has counted in some span of time. Not for several threads. */
public final class Buckets {

    private static final double ROUNDING = 1e-6;

    /** By upper bound in seconds, which belongs to its bucket: all that took no longer. */
    private final TreeMap<Double, Double> upTo = new TreeMap<>();

    /**
     * One bucket.
     *
     * @param above in seconds, the lower bound, which does not belong to it
     * @param upTo infinite: nothing is known but that it took longer
     */
    public record Bucket(double above, double upTo, long count) {}

    /** Adds what a cumulative bucket has gained. */
    public void add(double bound, double gained) {
        if (gained > 0) {
            upTo.merge(bound, gained, Double::sum);
        } else {
            upTo.putIfAbsent(bound, 0.0);
        }
    }

    /**
     * The buckets, each by itself. Gains are extrapolated by the server, and therefore no whole numbers: what is cut off here is
     * carried over, so that the sum is right to less than one.
     */
    public List<Bucket> buckets() {
        List<Bucket> buckets = new ArrayList<>();
        double above = 0;
        double highest = 0;
        long counted = 0;
        for (Map.Entry<Double, Double> bound : upTo.entrySet()) {
            // Sums in another order differ in their last digits, and none of that is a call.
            highest = bound.getValue() > highest * (1 + ROUNDING) ? bound.getValue() : highest;
            long count = Math.round(highest) - counted;
            buckets.add(new Bucket(above, bound.getKey(), count));
            counted += count;
            above = bound.getKey();
        }
        return buckets;
    }
}
