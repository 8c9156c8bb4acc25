/**
 * The watch for Jetty 12: the way from a request to its channel, and the rules for a verdict.
 * Jetty's classes are reached reflectively, so that this loads and is skipped where Jetty is absent.
 */
@NullMarked
package dev.hangup.watch.jetty;

import org.jspecify.annotations.NullMarked;
