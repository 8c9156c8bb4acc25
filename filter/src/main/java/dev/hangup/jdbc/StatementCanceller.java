package dev.hangup.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How one driver's statements are stopped. One per wrapped data source; stateless towards connections, any thread. */
interface StatementCanceller {
    /** What the driver's own first use of a connection tells. On a worker. */
    static StatementCanceller of(Connection driver) throws SQLException {
        StatementCanceller postgres = PostgresCanceller.of(driver);
        return postgres == null ? new PlainCanceller() : postgres;
    }

    /** How long a running statement may end by itself before a cancel is sent, which costs the connection if it comes too late. */
    default Duration patience() {
        return Duration.ZERO;
    }

    /** Before a statement outside autocommit; may talk to the database. On the worker, where no cancel reaches it. */
    default void beforeStatement(Connection driver) throws SQLException {}

    /**
     * Whether a cancel sent now stops the statement and does no harm. On a canceller, while the worker is held in its
     * statement; must not block.
     */
    default boolean isReady(Connection driver, boolean autoCommit) {
        return true;
    }

    /** Sends the cancel, and returns when it has been delivered. On a canceller, while the worker is held in its statement. */
    void cancel(Connection driver, @Nullable Statement running) throws SQLException;

    /** Whether this is how the driver tells that a cancel ended the statement, so that none is left in flight. */
    boolean isCancelError(SQLException error);
}
