package dev.hangup.policy;

import java.time.Duration;
import java.util.List;

/** A header that holds a whole number of milliseconds and nothing else. */
record MillisHeader(String name) implements DeadlineHeader {

    private static final long MOST = Long.MAX_VALUE / 1_000_000;

    @Override
    public Reading read(List<String> lines) {
        if (lines.size() != 1) {
            return Reading.REJECTED;
        }
        long millis = FieldText.number(FieldText.trim(lines.get(0)));
        return millis > 0 && millis <= MOST ? Reading.of(Duration.ofMillis(millis)) : Reading.REJECTED;
    }

    @Override
    public String format(Duration span) {
        return Long.toString(Math.max(1, span.toMillis()));
    }
}
