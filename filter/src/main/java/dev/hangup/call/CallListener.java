package dev.hangup.call;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hears what happens to calls. Methods are called on workers, the watcher and cancellers, possibly at the same moment for
 * the same call; they must not block. What they throw is logged and dropped.
 *
 * <p>Race: {@link #callerGone}, {@link #unowned}, {@link #cancelled}, {@link #workerJoins}, {@link #stuck} and {@link #shielded} of a call may arrive
 * after its {@link #ended}, {@link #unowned} also after its {@link #detached}, on another thread. A listener that keeps something
 * per unowned call looks at {@link CallScope#isEnded()} and {@link CallScope#isDetached()} once more after it has kept it. The
 * instants of such events may lie a moment after {@link CallScope#endedAt()}: a difference is to be cut at zero. The outcome
 * agrees with what was told: a call that was cancelled ends {@link Outcome#CANCELLED} or {@link Outcome#TOO_LATE}.
 */
public interface CallListener {
    /** How the line in the log calls this listener that says what an engine begins with. */
    default String describe() {
        String name = getClass().getSimpleName();
        return name.isEmpty() ? getClass().getName() : name;
    }

    /** A pool became known, or its size did: a container's is seen only with its first slow request. */
    default void poolKnown(Pool pool) {}

    /** A named endpoint became known, or its view changed (the policy was loaded anew). */
    default void endpointKnown(EndpointView endpoint) {}

    /** The caller of this call cannot be watched; at most once per call. */
    default void unwatched(CallScope call, Unwatched cause) {}

    /**
     * The second witness has contradicted a departure that the watch of this name had seen; from the first time on that watch
     * cancels nothing. On the watcher.
     */
    default void watchContradicted(String watch) {}

    /** The caller left; at most once per call. */
    default void callerGone(CallScope call, CancelReason cause) {}

    /** From {@link CallScope#unownedSince()} on nobody waits for this call; at most once per call, never for one that was detached before. */
    default void unowned(CallScope call) {}

    /** A worker is about to join an unowned call; {@link CallScope#workers()} does not count it yet. It may find that the call is over. */
    default void workerJoins(CallScope call) {}

    /** A worker of an unowned call is about to leave it, on that worker; {@link CallScope#workers()} still counts it. */
    default void workerLeaves(CallScope call) {}

    /** The call was cancelled; at most once per call. */
    default void cancelled(CallScope call, CancelReason reason) {}

    /** The application detached the work: it is not unowned any more. At most once per call. */
    default void detached(CallScope call) {}

    /** Still working {@code stuckAfter} after its cancel; {@code where} is the top of a worker's stack, may be empty. At most once per call. */
    default void stuck(CallScope call, List<StackTraceElement> where) {}

    /**
     * Still inside {@link Call#shield} {@code stuckAfter} after its cancel: not stuck, but told to be left alone. At most once per
     * call, which may be {@link #stuck} later. {@code where} as there.
     */
    default void shielded(CallScope call, List<StackTraceElement> where) {}

    /** The call is over; exactly once per call, on the thread that ended it: a worker, or whoever ended its response. */
    default void ended(CallScope call, Outcome outcome) {}

    /** A transaction of a call ended; once per transaction. On a worker or a canceller. */
    default void transaction(Pool pool, TransactionOutcome outcome) {}

    /** Something was done to a connection of a cancelled call. On a worker or a thread of the pool's. */
    default void connection(Pool pool, ConnectionEvent event) {}

    /** The policy in force was loaded at this instant (seconds since the epoch). */
    default void policyLoaded(double epochSeconds) {}

    /** The callers of this endpoint have a timeout of their own, as their departures show; null: not any more. On the thread that saw one. */
    default void callerTimeout(String endpoint, @Nullable Duration timeout) {}

    /** A trusted caller sent a deadline, or a time, that is malformed or not plausible. On a worker. */
    default void deadlineHeaderRejected(String header) {}

    /** A changed policy file was refused. */
    default void policyRefused() {}
}
