/**
 * Chooses deadlines from evidence: the command line {@code hangup-tune}. {@link dev.hangup.tune.Tune} is the program, each of
 * its commands a class; a {@link dev.hangup.tune.Recommendation} is what they hand to one another, in memory or as JSON.
 */
@NullMarked
package dev.hangup.tune;

import org.jspecify.annotations.NullMarked;
