/**
 * The front door: the engine and its builder, the filter, and the initializer that puts the filter into a WAR.
 * It may import every package below it; nothing below imports it.
 */
@NullMarked
package dev.hangup;

import org.jspecify.annotations.NullMarked;
