package dev.hangup.call;

import java.time.Duration;

/**
 * How a call of an endpoint is treated. Made once per rule of the policy and shared by its calls. Immutable; spans are not
 * negative.
 *
 * @param cancels whether a departure or a passed deadline stops the work; otherwise both are counted only
 * @param interrupts whether a cancel may interrupt workers
 * @param halfCloseIsGone whether a FIN alone means that the caller left; a reset always does
 * @param named whether the endpoint has an entry or annotation of its own
 * @param coversFirstByte whether the deadline is for the answer's first byte, and then only for an answer that does not move
 * @param escalateAfter from the cancel to the second interrupt and the aborts
 * @param stuckAfter from the cancel to the report of a stuck call
 */
public record Treatment(
        boolean cancels,
        boolean interrupts,
        boolean halfCloseIsGone,
        boolean named,
        boolean coversFirstByte,
        Duration escalateAfter,
        Duration stuckAfter) {

    /** The deadline is for the whole answer. */
    public Treatment(
            boolean cancels,
            boolean interrupts,
            boolean halfCloseIsGone,
            boolean named,
            Duration escalateAfter,
            Duration stuckAfter) {
        this(cancels, interrupts, halfCloseIsGone, named, false, escalateAfter, stuckAfter);
    }
}
