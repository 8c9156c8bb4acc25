/**
 * The call itself: its deadline, its state, its workers, and the seam through which the other packages take part in it.
 * It knows no servlet and no container, and imports nothing else of Hangup.
 */
@NullMarked
package dev.hangup.call;

import org.jspecify.annotations.NullMarked;
