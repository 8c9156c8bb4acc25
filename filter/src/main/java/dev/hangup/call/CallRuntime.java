package dev.hangup.call;

import java.util.concurrent.Executor;

/** What calls need from the engine that runs them. Implemented by the front door; one per application. */
public interface CallRuntime {
    /**
     * Runs the blocking part of cancels, started in the order given, on a bounded number of daemon threads. Never refuses, never
     * blocks, never runs on the calling thread, which may hold locks of the application. Once the engine is closed it may drop
     * what it is given.
     */
    Executor canceller();

    /** Runs {@code task} at or soon after {@code nanoTime} (at once if that has passed), on the watcher thread; the task must not block. Dropped when the engine is closed. */
    void at(long nanoTime, Runnable task);

    /** Runs {@code action} once, when the engine is closed and its cancellers are through, on the thread that closes it; at once if it is closed already. */
    default void atClose(Runnable action) {}

    /** All listeners as one; never throws. */
    CallListener listener();

    /**
     * Whether this call may be cancelled now, because its caller has left or its deadline has passed: the engine may have had enough
     * of such cancels, and then the call goes on as if it were only observed. Asked once for each such signal; not for a cancel by
     * the application or at shutdown. Any thread; must not block.
     */
    default boolean mayCancel(CallScope call) {
        return true;
    }

    /** Whether passed deadlines are acted upon; not in a JVM that a debugger may hold. Never changes. */
    default boolean actsOnDeadlines() {
        return true;
    }

    /** A call has begun, on the calling thread, which is attached to it already; must not block or wake anybody. If it throws, the call is given up. */
    void began(CallScope call);
}
