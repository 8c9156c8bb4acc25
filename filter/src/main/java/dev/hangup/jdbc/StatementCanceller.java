package dev.hangup.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How one driver's statements are stopped. PostgreSQL, H2, MariaDB and MySQL are known; for another driver give one of these to
 * {@link JdbcOptions#withCanceller}. One per wrapped data source, for any thread.
 *
 * <p>{@code driver} is the pool's own connection, {@code running} the driver's own statement. A connection on which exactly one
 * cancel was fired, and which then threw what {@link #isCancelError} knows, goes back to its pool; any other is in doubt.
 */
public interface StatementCanceller {
    /** How long a running statement may end by itself before a cancel is sent, which costs the connection if it comes too late. */
    default Duration patience() {
        return Duration.ZERO;
    }

    /** A call that may be cancelled has borrowed this. On the worker, before the application has it; may talk to the database the first time it sees the connection. */
    default void lent(Connection driver) throws SQLException {}

    /** Before a statement outside autocommit; may talk to the database. On the worker, where no cancel reaches it. */
    default void beforeStatement(Connection driver) throws SQLException {}

    /**
     * Sends a cancel, and returns when it has been delivered: from then on it hits what runs, or nothing. On a thread of the
     * pool's lane, while the worker is held in its statement; one that takes long or throws costs the connection.
     *
     * @param running null while the database's own rows are read
     * @return false if nothing was sent, because it would do harm or hit nothing now; it is tried again soon
     */
    boolean cancel(Connection driver, @Nullable Statement running, boolean autoCommit) throws SQLException;

    /** Whether this is how the driver tells that a cancel ended the statement on the server, so that none is left in flight. */
    boolean isCancelError(SQLException error);

    /**
     * Draws a cancel that was delivered, and may be pending, upon a query of our own, so that the next borrower is not hit. On
     * whoever gives the connection back.
     *
     * @return true if none is pending now; false if that cannot be told, and then the connection is evicted
     */
    default boolean absorb(Connection driver) throws SQLException {
        return false;
    }

    /** Whether CREATE, TRUNCATE and the like commit the transaction before them. They are never cancelled then. */
    default boolean definitionsCommit() {
        return true;
    }

    /**
     * Whether {@code Statement.setQueryTimeout} limits the statement it is set on and nothing else, and what it does has arrived when
     * the statement ends: a timeout that stays in the session, or a cancel that the driver's own timer sends late, would hit the
     * next borrower. Only then the deadline is told to the database that way, see {@link JdbcOptions#withDatabaseDeadline}.
     */
    default boolean timeoutsEndWithStatement() {
        return false;
    }

    /** An engine was closed: what is kept for the next cancel only may go. May be needed again, by another engine. */
    default void letGo() {}
}
