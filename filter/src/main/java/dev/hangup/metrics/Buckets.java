package dev.hangup.metrics;

import java.time.Duration;
import java.util.stream.LongStream;

/** The bounds of all histograms, the same everywhere and fixed, so that histograms of different servers and kinds add up. */
final class Buckets {
    private static final Duration[] BOUNDS = LongStream.of(
                    5, 10, 25, 50, 100, 250, 500, 1_000, 2_000, 3_000, 5_000, 7_500, 10_000, 15_000, 20_000, 30_000,
                    60_000, 120_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private Buckets() {}

    static Duration[] bounds() {
        return BOUNDS.clone();
    }
}
