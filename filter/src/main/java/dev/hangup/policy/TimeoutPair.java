package dev.hangup.policy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A server's deadline beside the time that its callers wait. Neither number is wrong by itself. Immutable.
 *
 * @param server the endpoint's deadline
 * @param client how long callers wait; null if that is not known
 * @param cancels whether the server stops when its caller has left
 * @param reachable whether any caller has got its answer in that time
 */
public record TimeoutPair(Duration server, @Nullable Duration client, boolean cancels, boolean reachable) {

    /** Two spans are equal when they differ by less than this part of the server's: a network's share, or a clock's. */
    private static final int PARTS = 20;

    /** What becomes of the two. */
    public Verdict verdict() {
        if (client == null) {
            return Verdict.UNKNOWN;
        }
        if (!reachable) {
            return Verdict.UNREACHABLE;
        }
        Duration apart = client.minus(server);
        if (apart.abs().compareTo(server.dividedBy(PARTS)) < 0) {
            return Verdict.NO_HEADROOM;
        }
        if (!apart.isNegative()) {
            return Verdict.WAITS_FOR_KILLED;
        }
        return cancels ? Verdict.STABLE : Verdict.WORKS_FOR_NOBODY;
    }
}
