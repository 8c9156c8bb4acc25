package dev.hangup.call;

/** The caller's connection as a watch sees it. */
public interface Connection {
    /** Breaks the connection so that a truncated response cannot look complete. Called while the response is not over; must not block. */
    void abort();

    /** As {@link #abort}, where the container has an asynchronous write pending that no thread waits for: it fails, and its listener is told. */
    default void abortPendingWrite() {
        abort();
    }

    /** The call's deadline is another one by now. Called while the response is not over, on a worker; must not block. */
    default void deadlineMoved() {}

    /**
     * Whether the container knows by now that the caller's stream is lost, though no look of the watch has come by. Called while the
     * response is not over; must not block.
     */
    default boolean isLost() {
        return false;
    }

    /** The response is over: let go of the connection. Called once, on the thread that ended the response; must not block. */
    default void over() {}
}
