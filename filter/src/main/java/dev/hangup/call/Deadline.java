package dev.hangup.call;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * The instant after which an answer is of no use. Monotonic ({@link System#nanoTime()}): a jump of the wall clock changes
 * nothing. Immutable and safe for any thread.
 */
public final class Deadline {
    /** No deadline: never expires; {@link #remaining()} is {@code Long.MAX_VALUE} nanoseconds. */
    public static final Deadline NONE = new Deadline(0, () -> 0);

    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final long at;
    private final LongSupplier ticker;

    private Deadline(long at, LongSupplier ticker) {
        this.at = at;
        this.ticker = ticker;
    }

    /**
     * A deadline {@code span} from now.
     *
     * @throws IllegalArgumentException if {@code span} is negative
     */
    public static Deadline after(Duration span) {
        return after(span, System::nanoTime);
    }

    /** As {@link #after(Duration)}, on a clock of nanoseconds that a test moves. */
    public static Deadline after(Duration span, LongSupplier ticker) {
        Objects.requireNonNull(ticker, "ticker");
        if (span.isNegative()) {
            throw new IllegalArgumentException("a deadline lies " + span + " away; expected zero or more");
        }
        // Half the range of nanoTime (146 years), so that differences never overflow.
        long nanos = span.compareTo(Duration.ofDays(53_000)) > 0 ? Long.MAX_VALUE / 2 : span.toNanos();
        return new Deadline(ticker.getAsLong() + nanos, ticker);
    }

    static Deadline atNanoTime(long at) {
        return new Deadline(at, System::nanoTime);
    }

    /** Time left, never negative; {@code Long.MAX_VALUE} nanoseconds for {@link #NONE}. */
    public Duration remaining() {
        return this == NONE ? FOREVER : Duration.ofNanos(Math.max(0, at - ticker.getAsLong()));
    }

    /** Whether the instant has been reached; never for {@link #NONE}. */
    public boolean isExpired() {
        return this != NONE && at - ticker.getAsLong() <= 0;
    }

    /** The earlier of two deadlines of the same clock; {@link #NONE} is later than any other. */
    public static Deadline earliest(Deadline a, Deadline b) {
        if (a == NONE) {
            return b;
        }
        return b == NONE || a.at - b.at <= 0 ? a : b;
    }

    /** The instant in {@link System#nanoTime()} terms; meaningless for {@link #NONE}. */
    long nanoTime() {
        return at;
    }

    @Override
    public String toString() {
        if (this == NONE) {
            return "no deadline";
        }
        long left = at - ticker.getAsLong();
        return left > 0
                ? "deadline in " + Duration.ofNanos(left)
                : "deadline passed " + Duration.ofNanos(-left) + " ago";
    }
}
