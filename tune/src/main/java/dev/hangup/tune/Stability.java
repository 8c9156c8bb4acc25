package dev.hangup.tune;

import org.jspecify.annotations.Nullable;

/**
 * How a recommended value would have done in each run (a file, an hour, a day) that has enough samples.
 *
 * @param runs those considered
 * @param meetingTarget how many of them meet the target
 * @param worst the lowest success rate of one; null if there are none
 * @param best the highest
 */
public record Stability(
        int runs,
        int meetingTarget,
        @Nullable Double worst,
        @Nullable Double best) {

    /** No run has enough samples. */
    public static final Stability NONE = new Stability(0, 0, null, null);
}
