/**
 * The demo of {@code mvn -Pdemo}: one server, impatient callers, and the same load without Hangup and with it.
 * Its figures come from its own bookkeeping of sockets and work, never from Hangup's metrics.
 */
@NullMarked
package dev.hangup.demo;

import org.jspecify.annotations.NullMarked;
