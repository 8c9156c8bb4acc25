package dev.hangup.policy;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How durations are written in policies, annotations and on the command line: a decimal number and a unit without a space
 * between them, {@code 1500ms}, {@code 1.5s}, {@code 30s}, {@code 2m}. Stateless; every method may be called by any thread.
 */
public final class Durations {

    /** The longest duration that is accepted: anything longer is a slip, and nanoseconds in a long must not overflow. */
    static final Duration LONGEST = Duration.ofDays(365);

    private static final Pattern NUMBER_AND_UNIT =
            Pattern.compile("([+-]?)([0-9]{1,12}(?:\\.[0-9]{1,12})?)([a-zA-Zµ]*)");
    private static final String EXAMPLES = "such as 1500ms, 1.5s, 30s or 2m";
    private static final String ABOVE_ZERO = "a duration above zero, " + EXAMPLES;
    private static final String FROM_ZERO = "a duration of 0ms or more, " + EXAMPLES;

    private Durations() {}

    /**
     * Reads a duration above zero.
     *
     * @throws IllegalArgumentException if the text is no such duration; the message holds the text and what was expected
     */
    public static Duration parse(String text) {
        Duration duration = parse(text, ABOVE_ZERO);
        if (duration.isZero()) {
            throw new MalformedValue(text, "must not be zero", ABOVE_ZERO);
        }
        return duration;
    }

    /**
     * Reads a duration that may be zero.
     *
     * @throws IllegalArgumentException if the text is no such duration; the message holds the text and what was expected
     */
    public static Duration parseFromZero(String text) {
        return parse(text, FROM_ZERO);
    }

    /** Writes a duration as {@link #parse} reads it, in the largest unit that needs no fraction: {@code 30s}, not {@code PT30S}. */
    public static String format(Duration duration) {
        if (duration.toNanosPart() % 1_000_000 != 0) {
            return millis(duration) + "ms";
        }
        long millis = duration.toMillis();
        if (millis == 0 || millis % 1_000 != 0) {
            return millis + "ms";
        }
        return millis % 60_000 == 0 ? millis / 60_000 + "m" : millis / 1_000 + "s";
    }

    private static String millis(Duration duration) {
        BigDecimal nanos = BigDecimal.valueOf(duration.getNano(), 9).add(BigDecimal.valueOf(duration.getSeconds()));
        return nanos.movePointRight(3).stripTrailingZeros().toPlainString();
    }

    private static Duration parse(String text, String expected) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text);
        if (!matcher.matches()) {
            throw new MalformedValue(text, text.isEmpty() ? "no value" : "not a duration", expected);
        }
        if (matcher.group(1).equals("-")) {
            throw new MalformedValue(text, "must not be negative", expected);
        }
        if (matcher.group(1).equals("+")) {
            throw new MalformedValue(text, "not a duration", expected);
        }
        BigDecimal nanos = new BigDecimal(matcher.group(2)).multiply(unit(text, matcher.group(3), expected));
        if (nanos.compareTo(BigDecimal.valueOf(LONGEST.toNanos())) > 0) {
            throw new MalformedValue(text, "longer than a year", expected);
        }
        if (nanos.stripTrailingZeros().scale() > 0) {
            throw new MalformedValue(text, "finer than a nanosecond", expected);
        }
        return Duration.ofNanos(nanos.longValueExact());
    }

    private static BigDecimal unit(String text, String unit, String expected) {
        return switch (unit) {
            case "ms" -> BigDecimal.valueOf(1_000_000L);
            case "s" -> BigDecimal.valueOf(1_000_000_000L);
            case "m" -> BigDecimal.valueOf(60_000_000_000L);
            case "" -> throw new MalformedValue(text, "no unit", expected);
            default -> throw new MalformedValue(text, "unknown unit \"" + unit + "\"", expected);
        };
    }
}
