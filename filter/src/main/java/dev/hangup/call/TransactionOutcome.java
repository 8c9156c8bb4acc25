package dev.hangup.call;

/** How a transaction of a call ended, exactly one per transaction. The lower-case name is the value of the {@code outcome} label in metrics. */
public enum TransactionOutcome {
    /** Nothing of it stays. */
    ROLLED_BACK,
    /** Committed while the call was not cancelled. */
    COMMITTED,
    /** Committed although the call was cancelled: the commit was under way already. */
    TOO_LATE,
    /** Its connection was thrown away instead of being given back, because its state was not certain; the database rolls it back when it sees that. */
    EVICTED
}
