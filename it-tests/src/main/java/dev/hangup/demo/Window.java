package dev.hangup.demo;

/**
 * A span of time over which figures are averaged.
 *
 * @param from first instant, a {@link System#nanoTime()} value
 * @param to the instant after it
 */
record Window(long from, long to) {

    double seconds() {
        return (to - from) / 1e9;
    }

    boolean contains(long instant) {
        return instant - from >= 0 && instant - to < 0;
    }

    /**
     * How much of a span lies within this window.
     *
     * @param start where the span begins to count
     * @param began 0 if there never was one
     * @param ended 0 if it still goes on
     */
    long overlap(long start, long began, long ended) {
        if (began == 0) {
            return 0;
        }
        long first = start - from > 0 ? start : from;
        long last = ended != 0 && ended - to < 0 ? ended : to;
        return Math.max(0, last - first);
    }
}
