/**
 * The call itself: its deadline, its state, its workers, and the seam through which the other packages take part in it.
 * It knows no servlet and no container, and imports nothing else of Hangup.
 *
 * <p>Applications use {@link dev.hangup.call.Call}. Integrations use {@link dev.hangup.call.CallScope}, take part as a
 * {@link dev.hangup.call.CallResource} or listen as a {@link dev.hangup.call.CallListener}; whoever runs calls implements
 * {@link dev.hangup.call.CallRuntime}.
 *
 * <p>What holds for every type here, unless it says otherwise:
 *
 * <ul>
 *   <li>Instants are {@link System#nanoTime()} values, to be compared by their difference, and 0 means "not yet"; spans are
 *       {@link java.time.Duration}s. No wall clock is asked.
 *   <li>No parameter and no result is null; a null is answered by a {@code NullPointerException}, at the latest when it is used.
 *   <li>Any thread may call any method. Methods that belong to one thread (attach, leave, guards) say so.
 *   <li>Nothing blocks but what runs the application's own code. Where a thread waits for another's, it is for the microseconds
 *       of an interrupt being delivered or a look at a request, and it says so.
 *   <li>What foreign code throws (hooks, resources, connections) is logged and stops nothing else.
 * </ul>
 *
 * <p>An interrupt belongs to nobody in Java. The rule here: a worker is interrupted only between its attach and its leave, never
 * inside a guard; a thread that has left carries no interrupt of ours; an interrupt that somebody else had set before ours is
 * left alone.
 */
@NullMarked
package dev.hangup.call;

import org.jspecify.annotations.NullMarked;
