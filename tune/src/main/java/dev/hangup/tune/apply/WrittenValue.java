package dev.hangup.tune.apply;

import dev.hangup.policy.PolicyOutline;
import java.math.BigDecimal;
import java.time.Duration;

/** A duration as the file writes it: its quotes stay, and so does its unit unless it is minutes and the new value is no half of them. */
final class WrittenValue {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final BigDecimal HALF_A_MINUTE = new BigDecimal(30);

    private WrittenValue() {}

    /** Puts another duration in a value's place. */
    static void replace(Edits edits, PolicyOutline value, Duration now) {
        String raw = edits.before().substring(value.begin(), value.end());
        String text = inUnitOf(value.text(), now);
        int at = raw.lastIndexOf(value.text());
        if (at >= 0) {
            int begin = value.begin() + at;
            edits.replace(begin, begin + value.text().length(), text);
        } else {
            // Written with escapes, which only double quotes have.
            edits.replace(value.begin() + 1, value.end() - 1, text);
        }
    }

    /** A value that stands nowhere yet: {@code 2.9s}. */
    static String of(Duration duration) {
        return decimal(duration, 1_000) + "s";
    }

    static String inUnitOf(String old, Duration now) {
        if (old.endsWith("ms")) {
            return decimal(now, 1) + "ms";
        }
        if (old.endsWith("m")) {
            BigDecimal seconds = new BigDecimal(now.toNanos()).movePointLeft(9);
            if (seconds.remainder(HALF_A_MINUTE).signum() == 0) {
                return plain(seconds.divide(new BigDecimal(60))) + "m";
            }
        }
        return of(now);
    }

    private static String decimal(Duration duration, long millis) {
        BigDecimal unit = new BigDecimal(millis * NANOS_PER_MILLI);
        return plain(new BigDecimal(duration.toNanos()).divide(unit));
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
