/**
 * One tree of tests, run against every container: real servers, raw sockets, and a real PostgreSQL.
 * The fixtures are {@link dev.hangup.it.ContainerKind}, {@link dev.hangup.it.RawClient} and {@link dev.hangup.it.Postgres}.
 */
@NullMarked
package dev.hangup.it;

import org.jspecify.annotations.NullMarked;
