package dev.hangup.tune;

import java.util.Arrays;

/**
 * The part of calls that finish within a time, estimated from those that did and those that were not let: the estimator of Kaplan and
 * Meier. A call whose caller left at c had not finished at c, and nothing is known of it beyond. Leaving such calls out would count
 * only those that were fast enough to be waited for.
 *
 * <p>With bounds: that none of those who left would have finished, and that all would have, the moment after.
 */
final class Survival {

    private final int[] times;
    /** Calls that finished by the time. */
    private final long[] finished;
    /** Estimated part of the calls that have not finished by the time. */
    private final double[] remaining;

    private final int[] leaveTimes;
    private final long[] left;
    private final long samples;

    Survival(Histogram successes, Histogram departures) {
        samples = successes.total() + departures.total();
        leaveTimes = departures.values();
        left = sums(departures.counts());
        times = successes.values();
        long[] counts = successes.counts();
        finished = sums(counts);
        remaining = new double[times.length];
        double part = 1;
        for (int i = 0; i < times.length; i++) {
            // Who leaves at the very moment was still there.
            long atRisk = samples - (finished[i] - counts[i]) - upTo(leaveTimes, left, times[i] - 1L);
            part *= 1 - (double) counts[i] / atRisk;
            remaining[i] = part;
        }
    }

    private static long[] sums(long[] counts) {
        long[] sums = counts.clone();
        Arrays.parallelPrefix(sums, Long::sum);
        return sums;
    }

    private static long upTo(int[] values, long[] sums, long millis) {
        int index = last(values, millis);
        return index < 0 ? 0 : sums[index];
    }

    /** The index of the last value that is not above; -1 if there is none. */
    private static int last(int[] values, long millis) {
        int key = (int) Math.max(-1, Math.min(millis, Integer.MAX_VALUE));
        int found = Arrays.binarySearch(values, key);
        return found >= 0 ? found : -found - 2;
    }

    long samples() {
        return samples;
    }

    /** The estimated part that finishes within that time; 0 without samples. */
    double finishedBy(long millis) {
        int index = last(times, millis);
        if (index < 0) {
            return 0;
        }
        // Nobody had left yet: a plain quotient, without the rounding of a product.
        boolean whole = upTo(leaveTimes, left, times[index] - 1L) == 0;
        return whole ? (double) finished[index] / samples : 1 - remaining[index];
    }

    /** The part if none of those who left would have finished. */
    double atLeast(long millis) {
        return samples == 0 ? 0 : (double) upTo(times, finished, millis) / samples;
    }

    /** The part if all who left before would have finished the moment after. */
    double atMost(long millis) {
        return samples == 0
                ? 0
                : (double) (upTo(times, finished, millis) + upTo(leaveTimes, left, millis - 1)) / samples;
    }

    /** The time within which that part of those that finished did; nearest rank. -1 if none did. */
    long percentile(double part) {
        if (times.length == 0) {
            return -1;
        }
        long rank = (long) Math.ceil(part * finished[finished.length - 1] - 1e-9);
        int index = 0;
        while (finished[index] < rank) {
            index++;
        }
        return times[index];
    }

    /** The first time by which that part is estimated to finish; -1 if it never does. */
    long metAt(double target) {
        for (int time : times) {
            if (Search.meets(finishedBy(time), target)) {
                return time;
            }
        }
        return -1;
    }

    /** Calls that finished after more than that. */
    long successesAfter(long millis) {
        return times.length == 0 ? 0 : finished[finished.length - 1] - upTo(times, finished, millis);
    }

    /** The longest that any took that finished; -1 if none did. */
    long slowest() {
        return times.length == 0 ? -1 : times[times.length - 1];
    }
}
