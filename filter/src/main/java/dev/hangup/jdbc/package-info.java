/**
 * A {@code DataSource} that knows which connections and statements the current call holds, and takes part in its cancel.
 * No commit of a cancelled call can start, and no cancel reaches another call's statement.
 */
@NullMarked
package dev.hangup.jdbc;

import org.jspecify.annotations.NullMarked;
