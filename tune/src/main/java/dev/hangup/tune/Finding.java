package dev.hangup.tune;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        List<Run> runs) {

    /** This with a further figure for the recommendation, under its JSON key. */
    Finding with(String key, Object figure) {
        Recommendation it = recommendation;
        Map<String, Object> more = new LinkedHashMap<>(it.more());
        more.put(key, figure);
        Recommendation known = new Recommendation(
                it.endpoint(),
                it.window(),
                it.samples(),
                it.p95(),
                it.p99(),
                it.current(),
                it.recommended(),
                it.estimatedSuccessRate(),
                it.issue(),
                it.decision(),
                it.stability(),
                it.tail(),
                more);
        return new Finding(known, successes, departures, errors, floor, cap, runs);
    }
}
