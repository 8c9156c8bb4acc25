package dev.hangup.demo;

import java.time.Duration;

/**
 * What can be said of a server and its callers before anything runs: callers who leave earlier than the server gives up
 * leave work behind that nobody waits for.
 *
 * @param requestsPerSecond arrivals, slow and fast
 * @param slowShare the part (0..1) of them whose work lasts as long as the server allows
 * @param serverLimit how long the server allows work to last
 * @param patience how long a caller waits
 * @param pool connections; a fraction where a scaled pool is not a whole number
 */
record Arithmetic(double requestsPerSecond, double slowShare, Duration serverLimit, Duration patience, double pool) {

    double slowPerSecond() {
        return requestsPerSecond * slowShare;
    }

    /** How long a slow request works on after its caller has left; zero if the caller waits longer than the server. */
    Duration ownerless() {
        Duration gap = serverLimit.minus(patience);
        return gap.isNegative() ? Duration.ZERO : gap;
    }

    /** How many connections work for nobody at any moment. */
    double unownedInFlight() {
        return slowPerSecond() * seconds(ownerless());
    }

    /** The part of the pool that works for nobody; above 1 where the pool does not suffice. */
    double poolShare() {
        return unownedInFlight() / pool;
    }

    /** Connections left for callers who wait. */
    double poolAvailable() {
        return Math.max(0, pool - unownedInFlight());
    }

    /** Requests that those connections serve in a second if each takes a caller's whole patience, cut to an integer. */
    int servablePerSecond() {
        return (int) (poolAvailable() / seconds(patience));
    }

    /** The part (0..1) of the offered requests that this is. */
    double servableShare() {
        return Math.min(1, servablePerSecond() / requestsPerSecond);
    }

    /** What one slow request costs whose caller tries so many times. */
    Duration addedBy(int attempts) {
        return ownerless().multipliedBy(attempts);
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
