package dev.hangup.call;

import org.jspecify.annotations.Nullable;

/** The response of a call that may be cancelled, as the front door guards it. All methods are called on canceller threads (the first on the watcher, too), never after the response is over. */
public interface CallResponse {
    /** Whether the application has given its whole answer (closed the body, written all of its announced length, sent an error or a redirect): nobody waits for it any more, though it may work on. */
    boolean isAnswered();

    /** How often the answer has moved on since its first byte was sent; 0: nothing has been sent. On the watcher. */
    default int moves() {
        return 0;
    }

    /** Whether a worker is inside the container's write right now; an interrupt would not free it, aborting the connection does. */
    boolean inWrite();

    /** Whether the work is synchronous and its caller still without the whole answer: it would hang on stuck work. */
    boolean holdsCaller();

    /**
     * Claims the completion of a cancelled call's asynchronous response. Called with the peer lock held, in which no lock of the
     * container's may be waited for. What is returned gives the answer (499 or 504 if uncommitted, else the connection is broken)
     * and completes; it must be run, once, by the same thread, after it has given the lock back. Null if there is nothing to
     * complete, or if somebody else does.
     *
     * @param connection if a watch knows it
     */
    @Nullable
    Runnable completion(CancelReason reason, @Nullable Connection connection);
}
