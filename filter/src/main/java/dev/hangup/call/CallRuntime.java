package dev.hangup.call;

import java.util.concurrent.Executor;

/** What calls need from the engine that runs them. Implemented by the front door; one per application. */
public interface CallRuntime {
    /** Runs the blocking part of cancels, in the order given, on a bounded number of daemon threads. Never refuses, never runs on the calling thread. */
    Executor canceller();

    /** Runs {@code task} at or soon after {@code nanoTime}, on the watcher thread; the task must not block. Dropped when the engine is closed. */
    void at(long nanoTime, Runnable task);

    /** All listeners as one; never throws. */
    CallListener listener();

    /** A call has begun, on the calling thread; must not block or wake anybody. */
    void began(CallScope call);
}
