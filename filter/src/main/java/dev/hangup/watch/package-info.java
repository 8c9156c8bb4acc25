/**
 * How we learn that a caller left: the watcher loop, the canceller pool, and the SPI that a container's watch implements.
 * It imports the call alone.
 */
@NullMarked
package dev.hangup.watch;

import org.jspecify.annotations.NullMarked;
