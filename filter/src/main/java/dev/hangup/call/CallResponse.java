package dev.hangup.call;

import org.jspecify.annotations.Nullable;

/** The response of a call that may be cancelled, as the front door guards it. All methods are called on canceller threads (the first on the watcher, too), never after the response is over. */
public interface CallResponse {
    /** Whether the application has given its whole answer (closed the body, written all of its announced length, sent an error or a redirect): nobody waits for it any more, though it may work on. */
    boolean isAnswered();

    /** Whether a worker is inside the container's write right now; an interrupt would not free it, aborting the connection does. */
    boolean inWrite();

    /** Whether the work is synchronous and its caller still without the whole answer: it would hang on stuck work. */
    boolean holdsCaller();

    /**
     * Completes an asynchronous response of a cancelled call (499 or 504 if uncommitted, else aborted through the connection, if
     * a watch knows it); does nothing to a synchronous one. Called with the peer lock held.
     */
    void completeAsync(CancelReason reason, @Nullable Connection connection);
}
