package dev.hangup.call;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a request came: what is known of it before its call begins. Immutable.
 *
 * @param waited for how long it has waited for a worker, as far as is known, not negative: it counts against every deadline
 * @param declared how long its caller waits from the moment it was sent, not negative; null if that is not declared. It can only
 *     shorten the endpoint's deadline
 */
public record Arrival(Duration waited, @Nullable Duration declared) {
    /** Nothing is known of it. */
    public static final Arrival NOW = new Arrival(Duration.ZERO, null);

    /** From now to the deadline; not negative: whoever has waited for longer has no time left. */
    long nanosLeft(Duration own) {
        return Math.max(0, nanos(own) - waited.toNanos());
    }

    /** Whether the deadline is the caller's, not the endpoint's own. */
    boolean shortens(Duration own) {
        return declared != null && declared.compareTo(own) < 0;
    }

    /** From the beginning of the wait. */
    long nanos(Duration own) {
        return declared != null && shortens(own) ? declared.toNanos() : own.toNanos();
    }
}
