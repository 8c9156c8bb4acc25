package dev.hangup.tune;

import java.util.Locale;

/** What stands in a recommendation's way, or has to be known before it is followed. */
public enum Issue {
    /** Too few samples for a number. */
    INSUFFICIENT_SAMPLES,
    /** No value up to the cap meets the target; the cap is the answer, and misses it. */
    SHORT_OF_TARGET,
    /** What would be waited for are errors, which no value rescues; the value in force stays. */
    ERRORS_IN_TAIL;

    /** As it is written in JSON: {@code insufficient_samples}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
