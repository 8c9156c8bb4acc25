package dev.hangup.tune;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A recommendation with the distributions behind it.
 *
 * @param successes how long calls took that succeeded
 * @param departures how long callers waited who left, and calls ran that were killed
 * @param errors how long calls took that failed
 * @param floor the least value that was tried; null where the search began at none
 * @param cap the highest; null if there is none
 * @param runs those with enough samples, in their order
 */
public record Finding(
        Recommendation recommendation,
        Histogram successes,
        Histogram departures,
        Histogram errors,
        @Nullable Duration floor,
        @Nullable Duration cap,
        List<Run> runs) {}
