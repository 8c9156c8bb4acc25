package dev.hangup.call;

import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
    private final @Nullable Supplier<Deadline> source;

    private Deadline(long at, LongSupplier ticker) {
        this(at, ticker, null);
    }

    private Deadline(long at, LongSupplier ticker, @Nullable Supplier<Deadline> source) {
        this.at = at;
        this.ticker = ticker;
        this.source = source;
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

    /** Whichever deadline {@code source} names at the moment of each question: for an object that outlives calls. */
    public static Deadline whichever(Supplier<Deadline> source) {
        return new Deadline(0, () -> 0, Objects.requireNonNull(source, "source"));
    }

    private Deadline now() {
        return source == null ? this : source.get().now();
    }

    static Deadline atNanoTime(long at) {
        return new Deadline(at, System::nanoTime);
    }

    /** Time left, never negative; {@code Long.MAX_VALUE} nanoseconds for {@link #NONE}. */
    public Duration remaining() {
        Deadline now = now();
        return now == NONE ? FOREVER : Duration.ofNanos(Math.max(0, now.at - now.ticker.getAsLong()));
    }

    /** Whether the instant has been reached; never for {@link #NONE}. */
    public boolean isExpired() {
        Deadline now = now();
        return now != NONE && now.at - now.ticker.getAsLong() <= 0;
    }

    /** The earlier of two deadlines of the same clock, as they are now; {@link #NONE} is later than any other. */
    public static Deadline earliest(Deadline a, Deadline b) {
        Deadline one = a.now();
        Deadline other = b.now();
        if (one == NONE) {
            return other;
        }
        return other == NONE || one.at - other.at <= 0 ? one : other;
    }

    /** The instant in {@link System#nanoTime()} terms; meaningless for {@link #NONE}. */
    long nanoTime() {
        return now().at;
    }

    @Override
    public String toString() {
        Deadline now = now();
        if (now == NONE) {
            return "no deadline";
        }
        long left = now.at - now.ticker.getAsLong();
        return left > 0
                ? "deadline in " + Duration.ofNanos(left)
                : "deadline passed " + Duration.ofNanos(-left) + " ago";
    }
}
