package dev.hangup.call;

import java.time.Duration;
import java.util.Locale;

/**
 * Thrown to the worker of a cancelled call at every checkpoint, again at each. Deliberately not a {@code CancellationException},
 * which Jersey maps to a bare 503. The message holds method, route, reason and elapsed time, never the query string. Immutable.
 */
public final class CallCancelledException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final CancelReason reason;
    private final String endpoint;
    private final Duration elapsed;

    /**
     * @param endpoint the endpoint's name, with its method
     * @param elapsed from the call's begin to now
     */
    public CallCancelledException(CancelReason reason, String endpoint, Duration elapsed) {
        super(String.format(Locale.ROOT, "%s cancelled: %s after %.3f s", endpoint, reason, elapsed.toNanos() / 1e9));
        this.reason = reason;
        this.endpoint = endpoint;
        this.elapsed = elapsed;
    }

    /** Why the call was cancelled. */
    public CancelReason reason() {
        return reason;
    }

    /** The endpoint's name, with its method. */
    public String endpoint() {
        return endpoint;
    }

    /** From the call's begin to this exception, or to the call's end if that came first; not negative. */
    public Duration elapsed() {
        return elapsed;
    }
}
