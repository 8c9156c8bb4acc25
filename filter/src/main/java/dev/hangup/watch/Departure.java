package dev.hangup.watch;

import dev.hangup.call.CancelReason;

/**
 * That a caller has been seen leaving.
 *
 * @param certain whether the kernel said so, and not a watch that may be mistaken
 */
record Departure(CancelReason cause, boolean certain) {}
