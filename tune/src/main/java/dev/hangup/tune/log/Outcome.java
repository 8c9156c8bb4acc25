package dev.hangup.tune.log;

/** What became of a call, as far as a log tells. */
public enum Outcome {
    /** It was answered, whatever the answer said of the caller's part. */
    SUCCEEDED,
    /** Its caller left: how long it would have taken is not known. */
    DEPARTED,
    /** The server's own failure. */
    FAILED,
    /** The connection became something else, such as a WebSocket: no call with an end. */
    UPGRADED
}
