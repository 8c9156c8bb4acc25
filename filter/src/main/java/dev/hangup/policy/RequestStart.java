package dev.hangup.policy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a proxy in front took a request in, as {@code X-Request-Start} tells: {@code t=} (which may be missing) and the time since
 * the epoch, in seconds, perhaps with a fraction, in milliseconds or in microseconds, told apart by magnitude. By the wall clocks
 * of two machines, which may differ: what is not plausible is not believed. Stateless.
 */
public final class RequestStart {

    /** No request waits for longer: the clocks differ, or one has been set. */
    public static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    /** How far the proxy's clock may be ahead of ours; then the request has not waited at all. */
    public static final Duration AHEAD = Duration.ofSeconds(10);

    private static final int MOST_DIGITS = 18;
    private static final int MOST_DECIMALS = 9;
    private static final int LONGEST_TEXT = "t=".length() + MOST_DIGITS + 1 + MOST_DECIMALS;

    /** The year 5138 in seconds: a number from here on is in milliseconds. */
    private static final long MILLIS_FROM = 100_000_000_000L;

    /** In a second. */
    private static final long MICROS = 1_000_000;

    private static final long MICROS_FROM = 100_000_000_000_000L;
    private static final long TOO_MUCH = 100_000_000_000_000_000L;

    private RequestStart() {}

    /**
     * How long the request has waited so far, at least, from zero to {@link #LONGEST_WAIT}; null if the header is malformed, not plausible or
     * there more than once.
     *
     * @param epochMillis what the wall clock shows now
     */
    public static @Nullable Duration waited(List<String> lines, long epochMillis) {
        String text = lines.size() == 1 ? FieldText.trim(lines.get(0)) : "";
        String number = text.startsWith("t=") ? text.substring(2) : text;
        long start = text.length() > LONGEST_TEXT ? FieldText.NONE : micros(number);
        if (start < 0) {
            return null;
        }
        long waited = epochMillis * 1_000 - start;
        if (waited > LONGEST_WAIT.toMillis() * 1_000 || waited < -AHEAD.toMillis() * 1_000) {
            return null;
        }
        long surely = waited - (isWholeSecond(number) ? MICROS : 0);
        return surely <= 0 ? Duration.ZERO : Duration.ofNanos(surely * 1_000);
    }

    /** Cut, not rounded: the request has come at any time within it, perhaps just now. */
    private static boolean isWholeSecond(String number) {
        return number.indexOf('.') < 0 && FieldText.number(number) < MILLIS_FROM;
    }

    private static long micros(String text) {
        int point = text.indexOf('.');
        String digits = point < 0 ? text : text.substring(0, point);
        long number = digits.length() > MOST_DIGITS ? FieldText.NONE : FieldText.number(digits);
        if (number < 0 || number >= TOO_MUCH) {
            return FieldText.NONE;
        }
        if (point < 0 && number >= MILLIS_FROM) {
            return number >= MICROS_FROM ? number : number * 1_000;
        }
        return number >= MILLIS_FROM ? FieldText.NONE : seconds(number, point < 0 ? "0" : text.substring(point + 1));
    }

    private static long seconds(long whole, String decimals) {
        if (decimals.length() > MOST_DECIMALS || FieldText.number(decimals) < 0) {
            return FieldText.NONE;
        }
        return whole * MICROS + FieldText.number((decimals + "000000").substring(0, 6));
    }
}
