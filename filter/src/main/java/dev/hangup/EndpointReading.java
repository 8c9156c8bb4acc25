package dev.hangup;

import dev.hangup.policy.TimeoutPair;
import dev.hangup.policy.Verdict;

/**
 * How an endpoint's deadline reads beside its callers' patience. Immutable.
 *
 * @param endpoint its name
 * @param pair the deadline in force, and how long callers wait as of now
 * @param evidence where the latter is from
 */
public record EndpointReading(String endpoint, TimeoutPair pair, Evidence evidence) {

    /** How it is known how long callers wait. */
    public enum Evidence {
        /** They have declared it in a header. */
        DECLARED,
        /** They have left, many of them after the same time. */
        OBSERVED,
        /** It is not. */
        NONE
    }

    /** What becomes of the two. */
    public Verdict verdict() {
        return pair.verdict();
    }
}
