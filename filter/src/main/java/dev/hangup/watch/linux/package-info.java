/**
 * What Linux knows: its table of TCP sockets, for what no channel shows, and for callers of containers that have no watch of
 * their own. Elsewhere this loads and finds nothing.
 */
@NullMarked
package dev.hangup.watch.linux;

import org.jspecify.annotations.NullMarked;
