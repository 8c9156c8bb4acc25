/** What tests need of the engine and applications do not get. */
@NullMarked
package dev.hangup;

import org.jspecify.annotations.NullMarked;
