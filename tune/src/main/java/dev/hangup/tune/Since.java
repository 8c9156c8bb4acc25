package dev.hangup.tune;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** Reads how far back to look. */
final class Since {

    private Since() {}

    /**
     * The first moment that counts.
     *
     * @param text days or hours before now, or a date; null: all time
     * @throws IllegalArgumentException if it is neither
     */
    static long millis(@Nullable String text, ZoneId zone) {
        if (text == null) {
            return Long.MIN_VALUE;
        }
        if (text.matches("[0-9]{1,5}[dh]")) {
            long count = Long.parseLong(text.substring(0, text.length() - 1));
            long hours = text.endsWith("d") ? count * 24 : count;
            return Instant.now().toEpochMilli() - hours * 3_600_000;
        }
        try {
            return LocalDate.parse(text).atStartOfDay(zone).toInstant().toEpochMilli();
        } catch (DateTimeException none) {
            throw new IllegalArgumentException(
                    "--since " + text + ": expected days or hours before now, or a date: 90d, 12h, 2026-11-30", none);
        }
    }
}
