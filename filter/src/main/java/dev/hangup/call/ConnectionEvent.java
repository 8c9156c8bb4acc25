package dev.hangup.call;

/** What is done to database connections of cancelled calls. The lower-case name is the value of the {@code event} label in metrics. */
public enum ConnectionEvent {
    /** A cancel was sent to the database, or was meant to be: the driver failed. */
    CANCEL_SENT,
    /** Taken back from a worker that was busy elsewhere, and rolled back. */
    RECLAIMED,
    /** Not lent again, because its state was not certain. */
    EVICTED,
    /** Kept although its state was not certain, after a query that proved it. */
    CLEANED
}
