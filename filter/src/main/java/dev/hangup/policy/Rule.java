package dev.hangup.policy;

import dev.hangup.call.Treatment;
import java.time.Duration;

/**
 * What the policy says about one endpoint, or about all that have no entry. Immutable but for the time of day: the deadline
 * is that of the window in force at the moment of asking. Any thread may ask; nothing is allocated.
 */
public final class Rule {

    /** The endpoint of every call that no entry and no framework names. */
    public static final String UNMATCHED = "UNMATCHED";

    private final String endpoint;
    private final Mode mode;
    private final Deadlines deadlines;
    private final Treatment treatment;

    Rule(String endpoint, Mode mode, Deadlines deadlines, Treatment treatment) {
        this.endpoint = endpoint;
        this.mode = mode;
        this.deadlines = deadlines;
        this.treatment = treatment;
    }

    /** This rule under another name. */
    Rule under(String name) {
        return new Rule(name, mode, deadlines, treatment);
    }

    /** The entry's name as the policy writes it, such as {@code GET /reports/{id}}, or {@link #UNMATCHED}. */
    public String endpoint() {
        return endpoint;
    }

    /** The deadline of the window in force now; above zero. Ask anew for each call. */
    public Duration deadline() {
        return deadlines.now();
    }

    /** The deadline of the window that was in force so long ago: that of a call which began then. */
    Duration deadlineBefore(Duration ago) {
        return deadlines.before(ago);
    }

    /** How a call of this endpoint is treated when its caller leaves: always the same instance. */
    public Treatment treatment() {
        return treatment;
    }

    /** The mode in force for this endpoint. */
    public Mode mode() {
        return mode;
    }

    /** Whether Hangup leaves calls of this endpoint alone altogether. */
    public boolean off() {
        return mode == Mode.OFF;
    }

    /** Whether the policy has an entry for this endpoint. */
    public boolean named() {
        return treatment.named();
    }

    @Override
    public String toString() {
        return endpoint + " (" + mode.key() + ", " + Durations.format(deadline()) + ")";
    }
}
