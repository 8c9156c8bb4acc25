/**
 * Which deadline and treatment an endpoint has now: the policy, its rules, and the file that they are read from.
 * It knows no servlet, so that the command line can use it, and imports the call alone.
 */
@NullMarked
package dev.hangup.policy;

import org.jspecify.annotations.NullMarked;
