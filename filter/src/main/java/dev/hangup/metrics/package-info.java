/**
 * What was counted, through Micrometer: unowned work, pool shares, outcomes, and the callers' patience.
 * It listens to calls and imports the call alone; gauges hold no reference to a call.
 */
@NullMarked
package dev.hangup.metrics;

import org.jspecify.annotations.NullMarked;
