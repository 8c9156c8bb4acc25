package dev.hangup.call;

/** A bounded thing that calls hold parts of: worker threads, database connections. All methods may be called by any thread and take no lock that a request takes. */
public interface Pool {
    /** For example {@code workers} or {@code jdbc:main}; constant. */
    String name();

    /** How many there are at most; -1 where there is no bound or it is not known. */
    int size();

    /** How many are held right now by calls that nobody waits for. */
    int unowned();

    /** Nanoseconds during which parts were held by unowned calls, summed over all parts; never falls. */
    long unownedNanos();
}
