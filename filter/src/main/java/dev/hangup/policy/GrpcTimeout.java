package dev.hangup.policy;

import java.time.Duration;
import java.util.List;

/** {@code grpc-timeout}, as gRPC over HTTP/2 writes it: one to eight digits, and a unit of {@code H M S m u n}. */
final class GrpcTimeout implements DeadlineHeader {

    private static final int MOST_DIGITS = 8;
    private static final long MOST = 99_999_999;

    @Override
    public String name() {
        return "grpc-timeout";
    }

    @Override
    public Reading read(List<String> lines) {
        if (lines.size() != 1) {
            return Reading.REJECTED;
        }
        String text = FieldText.trim(lines.get(0));
        int digits = text.length() - 1;
        if (digits < 1 || digits > MOST_DIGITS) {
            return Reading.REJECTED;
        }
        long number = FieldText.number(text.substring(0, digits));
        long unit = nanos(text.charAt(digits));
        return number > 0 && unit > 0 && number <= Long.MAX_VALUE / unit
                ? Reading.of(Duration.ofNanos(number * unit))
                : Reading.REJECTED;
    }

    private static long nanos(char unit) {
        return switch (unit) {
            case 'H' -> 3_600_000_000_000L;
            case 'M' -> 60_000_000_000L;
            case 'S' -> 1_000_000_000L;
            case 'm' -> 1_000_000L;
            case 'u' -> 1_000L;
            case 'n' -> 1L;
            default -> 0;
        };
    }

    /** In the finest unit in which eight digits are enough. */
    @Override
    public String format(Duration span) {
        long left = Math.max(1, span.compareTo(Durations.LONGEST) > 0 ? Durations.LONGEST.toNanos() : span.toNanos());
        for (char unit : new char[] {'n', 'u', 'm', 'S'}) {
            if (left / nanos(unit) <= MOST) {
                return Long.toString(left / nanos(unit)) + unit;
            }
        }
        return Long.toString(left / nanos('M')) + 'M';
    }
}
