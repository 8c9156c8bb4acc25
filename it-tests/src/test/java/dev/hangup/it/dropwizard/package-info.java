/** Dropwizard, with the Jetty and the Jersey that it brings: a class path of its own, in an execution of its own. */
@NullMarked
package dev.hangup.it.dropwizard;

import org.jspecify.annotations.NullMarked;
