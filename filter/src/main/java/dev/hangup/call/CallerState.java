package dev.hangup.call;

/** What is known of the peer that waits for the response. */
public enum CallerState {
    /** Nothing seen of a departure. */
    PRESENT,
    /** The caller left; final. */
    GONE,
    /** The caller cannot be watched (see {@link Unwatched}); deadlines still apply. */
    UNKNOWN
}
