package dev.hangup.call;

/** How a call ended, exactly one per call. The lower-case name is the value of the {@code outcome} label in metrics. */
public enum Outcome {
    /** The work ended and its caller was not seen leaving. An exception of the application's own is completed, too. */
    COMPLETED,
    /** The work ended by itself although its caller had been seen leaving and the endpoint cancels: the cancel came too late to matter, or the watch that saw it is not believed any more. */
    COMPLETED_AFTER_GONE,
    /** Cancelled, and nothing of it was committed after the cancel. */
    CANCELLED,
    /** The caller left and the endpoint only observes, or the engine had cancelled too many: else this call would have been cancelled. */
    WOULD_CANCEL,
    /** As {@link #WOULD_CANCEL} or {@link #COMPLETED_AFTER_GONE}, and a transaction was committed after the caller had left. */
    COMMITTED_AFTER_GONE,
    /** The work ended after its deadline, on an endpoint that only observes or while the engine had cancelled too many. */
    DEADLINE_PASSED,
    /** The caller left, or its deadline passed, before the work began. */
    EXPIRED_IN_QUEUE,
    /** The application detached the work from its caller. */
    DETACHED,
    /** Cancelled, but a commit that was already under way could not be stopped. */
    TOO_LATE
}
