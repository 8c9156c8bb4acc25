/**
 * The watch for Tomcat 10.1 and later: the way from a request to its channel, and the rules for a verdict.
 * Tomcat's classes are reached reflectively, so that this loads and is skipped where Tomcat is absent.
 */
@NullMarked
package dev.hangup.watch.tomcat;

import org.jspecify.annotations.NullMarked;
