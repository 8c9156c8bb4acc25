package dev.hangup.demo;

/**
 * One request as seen from both ends: what became of its caller, what became of its work. Instants are {@link
 * System#nanoTime()} values, 0 for "not yet"; each is written once, by the thread named.
 */
final class Attempt {
    final long id;
    final boolean slow;
    /** When the caller opened its socket. */
    final long openedAt;

    /** The caller closed its socket without a response. Callers' thread. */
    volatile long leftAt;
    /** The caller has read the whole response that it wanted. Callers' thread. */
    volatile long servedAt;

    /** The request reached the application. Worker, as all that follow. */
    volatile long beganAt;

    volatile long borrowedAt;
    volatile long committedAt;
    volatile long returnedAt;
    /** The worker has left the request. */
    volatile long endedAt;

    Attempt(long id, boolean slow, long openedAt) {
        this.id = id;
        this.slow = slow;
        this.openedAt = openedAt;
    }

    /** How long work was done for nobody within the window. */
    long unownedNanos(Window window) {
        return leftAt == 0 ? 0 : window.overlap(later(leftAt, beganAt), beganAt, endedAt);
    }

    /** How long a connection was held for nobody within the window. */
    long unownedHoldNanos(Window window) {
        return leftAt == 0 ? 0 : window.overlap(later(leftAt, borrowedAt), borrowedAt, returnedAt);
    }

    /** How long a connection was held within the window. */
    long holdNanos(Window window) {
        return window.overlap(borrowedAt, borrowedAt, returnedAt);
    }

    boolean committedForNobody() {
        long left = leftAt;
        long committed = committedAt;
        return left != 0 && committed != 0 && committed - left > 0;
    }

    boolean working() {
        return beganAt != 0 && endedAt == 0;
    }

    static long now() {
        long now = System.nanoTime();
        return now == 0 ? 1 : now;
    }

    private static long later(long a, long b) {
        return a - b > 0 ? a : b;
    }
}
