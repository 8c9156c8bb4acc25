package dev.hangup.call;

/** The caller's connection as a watch sees it. */
public interface Connection {
    /** Breaks the connection so that a truncated response cannot look complete. Called while the response is not over; must not block. */
    void abort();
}
