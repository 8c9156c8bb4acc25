package dev.hangup.tune;

import java.util.Arrays;

/**
 * Counts by elapsed milliseconds, rounded up: exact to a minute, then to 100 ms, and to an hour at most. Grows with the
 * number of different values, never with that of counts. Not for several threads at once.
 */
public final class Histogram {

    /** Up to here a value is itself. */
    private static final int EXACT = 60_000;

    private static final int COARSE = 100;
    private static final int LONGEST = 3_600_000;
    private static final int SMALLEST = 16;

    /** Bin + 1 of each slot, 0: free. */
    private int[] bins = new int[SMALLEST];

    private long[] counts = new long[SMALLEST];
    private int used;
    private long total;

    /** Counts one call. */
    public void add(long millis) {
        add(millis, 1);
    }

    /** Counts several calls. */
    public void add(long millis, long count) {
        int bin = bin(millis) + 1;
        int slot = slot(bin);
        if (bins[slot] == 0) {
            bins[slot] = bin;
            if (++used * 2 > bins.length) {
                grow();
                slot = slot(bin);
            }
        }
        counts[slot] += count;
        total += count;
    }

    /** Adds all that the other has. */
    public void add(Histogram other) {
        for (int slot = 0; slot < other.bins.length; slot++) {
            if (other.bins[slot] != 0) {
                add(millis(other.bins[slot] - 1), other.counts[slot]);
            }
        }
    }

    /** All that were counted. */
    public long total() {
        return total;
    }

    /** The values that there are, in ascending order; of the same length as {@link #counts()}. */
    public int[] values() {
        return Arrays.stream(bins)
                .filter(bin -> bin != 0)
                .map(bin -> millis(bin - 1))
                .sorted()
                .toArray();
    }

    /** How often each of {@link #values()} was counted. */
    public long[] counts() {
        return Arrays.stream(values()).mapToLong(this::count).toArray();
    }

    /** How often the value was counted. */
    public long count(long millis) {
        return counts[slot(bin(millis) + 1)];
    }

    /** Bytes that the counts take. */
    public long size() {
        return bins.length * 12L;
    }

    private int slot(int bin) {
        int mask = bins.length - 1;
        int slot = ((bin * 0x9E3779B9) >>> 7) & mask;
        while (bins[slot] != 0 && bins[slot] != bin) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        int[] oldBins = bins;
        long[] oldCounts = counts;
        bins = new int[oldBins.length * 2];
        counts = new long[oldCounts.length * 2];
        for (int i = 0; i < oldBins.length; i++) {
            if (oldBins[i] != 0) {
                int slot = slot(oldBins[i]);
                bins[slot] = oldBins[i];
                counts[slot] = oldCounts[i];
            }
        }
    }

    private static int bin(long millis) {
        if (millis <= EXACT) {
            return (int) Math.max(millis, 0);
        }
        long coarse = (Math.min(millis, LONGEST) - EXACT + COARSE - 1) / COARSE;
        return EXACT + (int) coarse;
    }

    private static int millis(int bin) {
        return bin <= EXACT ? bin : EXACT + (bin - EXACT) * COARSE;
    }
}
