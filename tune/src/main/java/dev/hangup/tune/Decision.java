package dev.hangup.tune;

import java.util.Locale;

/** What a recommendation would do to the value in force. */
public enum Decision {
    RAISE,
    KEEP,
    LOWER;

    /** As it is written in JSON: {@code raise}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
