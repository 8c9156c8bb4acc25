/** Cancels against a real PostgreSQL through a real pool, without a container. */
@NullMarked
package dev.hangup.it.jdbc;

import org.jspecify.annotations.NullMarked;
