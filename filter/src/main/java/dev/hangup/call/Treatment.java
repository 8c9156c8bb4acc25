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
 * @param escalateAfter from the cancel to the second interrupt and the aborts
 * @param stuckAfter from the cancel to the report of a stuck call
 */
public record Treatment(
        boolean cancels,
        boolean interrupts,
        boolean halfCloseIsGone,
        boolean named,
        Duration escalateAfter,
        Duration stuckAfter) {}
