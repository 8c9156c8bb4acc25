package dev.hangup.call;

/** Why a call is cancelled. The lower-case name is the value of the {@code reason} label in metrics. */
public enum CancelReason {
    /** The caller sent TCP FIN (or TLS close_notify): RFC 9112 section 9.6; see the policy's {@code half-close}. */
    CALLER_CLOSED,
    /** The caller's connection was reset (TCP RST), or a keep-alive probe found its host dead. */
    CALLER_RESET,
    /** HTTP/2 RST_STREAM (RFC 9113 section 6.4), or the connection that carried the stream was lost. */
    STREAM_RESET,
    /** The deadline that the caller itself declared has passed. */
    CALLER_DEADLINE,
    /** The endpoint's own deadline has passed. */
    ENDPOINT_DEADLINE,
    /** The application stops and the drain time is over. */
    SHUTDOWN,
    /** Cancelled by the application through {@link Call#cancel()}. */
    MANUAL;

    private static final CancelReason[] VALUES = values();

    static CancelReason of(int ordinal) {
        return VALUES[ordinal];
    }

    /** Whether the caller has left, so that nobody waits for a response any more. */
    public boolean callerGone() {
        return this == CALLER_CLOSED || this == CALLER_RESET || this == STREAM_RESET;
    }

    /**
     * Whether somebody may still read the response, so that what is cut short must not look whole: a FIN may be half a close, from
     * one who reads on.
     */
    public boolean mayBeRead() {
        return !callerGone() || this == CALLER_CLOSED;
    }

    /** Whether a deadline has passed, while the caller may still be waiting. */
    public boolean deadline() {
        return this == CALLER_DEADLINE || this == ENDPOINT_DEADLINE;
    }
}
