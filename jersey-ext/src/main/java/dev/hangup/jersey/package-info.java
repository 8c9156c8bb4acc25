/**
 * Hangup for resources of Jersey 3.1 and 4.0: {@link dev.hangup.jersey.HangupFeature} is found by itself where the jar is, and
 * knows what the filter in front cannot: which resource answers, under which template, with which annotation.
 *
 * <p>Without the filter there is no call, and everything is as without the jar.
 */
@NullMarked
package dev.hangup.jersey;

import org.jspecify.annotations.NullMarked;
