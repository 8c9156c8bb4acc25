package dev.hangup.tune.apply;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is recommended for one endpoint or source in one window, and on what evidence.
 *
 * @param recommended null: there was not enough to go by
 * @param rate the part of the samples, 0 to 1, that would have finished in the recommended time; NaN: unknown
 * @param goal the part that was asked for; NaN: the recommendation does not say
 * @param issue what is wrong with the samples or the result; empty: nothing
 * @param why what stands behind it
 * @param keeps whether the recommendation itself says that the value in force stays
 */
public record Advice(
        Target target,
        String window,
        @Nullable Duration recommended,
        long samples,
        double rate,
        double goal,
        Runs runs,
        String issue,
        Why why,
        boolean keeps) {

    /**
     * What stands behind a recommendation; texts are empty where it does not say.
     *
     * @param reason why it would raise, lower or keep the value that was in force
     * @param basis where the recommended value comes from, whatever is in force
     * @param current the value that was in force; null: not known
     * @param suffices from here on a value in force needs no raise; null: not known, or none does
     */
    public record Why(
            String reason,
            String basis,
            @Nullable Duration current,
            @Nullable Duration suffices) {

        /** Nothing is said. */
        public static final Why UNKNOWN = new Why("", "", null, null);
    }

    /**
     * The stretches of time, each by itself, that had enough samples.
     *
     * @param count how many
     * @param meeting how many of them would have met their target
     */
    public record Runs(int count, int meeting) {}

    /** Whether the samples reach what was asked for. */
    boolean meets(double asked) {
        return rate >= asked - 1e-9;
    }
}
