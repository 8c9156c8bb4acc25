/**
 * A worked example: the demo's report service as resources of Jakarta REST, on any Jersey that has Hangup's two jars. Slow reports stop
 * when their caller hangs up, however they are made: at once, in the background, or with word of their progress.
 */
@NullMarked
package dev.hangup.demo.jersey;

import org.jspecify.annotations.NullMarked;
