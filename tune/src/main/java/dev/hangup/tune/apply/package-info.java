/**
 * Puts recommendations into a policy file and touches nothing else in it.
 *
 * <p>{@link dev.hangup.tune.apply.Advice} is what somebody recommends, {@link dev.hangup.tune.apply.Caution} decides what of it
 * comes into force (a {@link dev.hangup.tune.apply.Ruling}), {@link dev.hangup.tune.apply.PolicySheet} knows what the file says now, {@link dev.hangup.tune.apply.Revision}
 * turns these into {@link dev.hangup.tune.apply.Edits}, and {@link dev.hangup.tune.apply.SafeFile} replaces the file.
 */
@NullMarked
package dev.hangup.tune.apply;

import org.jspecify.annotations.NullMarked;
