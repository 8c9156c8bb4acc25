package dev.hangup.tune.log;

/** What a place in a pattern holds. */
enum Field {
    /** Of no interest. */
    SKIPPED,
    /** {@code 30/Nov/2026:10:00:05 +0000}. */
    COMMON_TIME,
    ISO_TIME,
    EPOCH_SECONDS,
    EPOCH_MILLIS,
    /** The time of an ISO form at which the request began, beside another stamp. */
    ISO_START,
    REQUEST,
    METHOD,
    /** A path or a target with its query. */
    TARGET,
    STATUS,
    HOST,
    /** {@code X}, {@code +} or {@code -}. */
    CONNECTION,
    MICROS,
    MILLIS,
    SECONDS,
    /** Seconds that always have a fraction: what has none is of another unit. */
    FRACTION,
    /** Seconds with a fraction, or -1 where they are not known; those of one line are added up. */
    SECONDS_PART,
    /** The same, and they are the upstream's too. */
    SECONDS_UPSTREAM_PART,
    /** Seconds with a fraction: one for each attempt, with {@code ", "} and {@code " : "} between them. */
    UPSTREAM;

    boolean isDuration() {
        return compareTo(MICROS) >= 0;
    }

    boolean isTime() {
        return compareTo(COMMON_TIME) >= 0 && compareTo(EPOCH_MILLIS) <= 0;
    }
}
