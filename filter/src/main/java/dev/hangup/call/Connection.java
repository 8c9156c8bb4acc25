package dev.hangup.call;

/** The caller's connection as a watch sees it. */
public interface Connection {
    /**
     * Breaks the connection so that a truncated response cannot look complete. Called while the response is not over; must not
     * block.
     *
     * @param inUse whether a thread may be inside the container's reads or writes: it is to come out of there with an exception
     */
    void abort(boolean inUse);

    /** The response is over: let go of the connection. Called once, on the thread that ended the response; must not block. */
    default void over() {}
}
