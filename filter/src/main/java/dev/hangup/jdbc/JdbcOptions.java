package dev.hangup.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * What is not as usual in a wrapped data source.
 *
 * @param controlConnection whether PostgreSQL may be told to cancel on one connection beside the pool, which is opened when it is needed
 * @param databaseDeadline whether the database is told how much of a call's deadline is left, see {@link #withDatabaseDeadline}
 * @param canceller how the driver's statements are cancelled, for a driver that Hangup does not know; null to look
 */
public record JdbcOptions(
        boolean controlConnection,
        boolean databaseDeadline,
        @Nullable StatementCanceller canceller) {
    /** A control connection, the database not told of deadlines, and the driver found out. */
    public static final JdbcOptions DEFAULT = new JdbcOptions(true, false, null);

    /** The protocol's own cancel only: each takes a connection of its own for a moment. */
    public JdbcOptions withoutControlConnection() {
        return new JdbcOptions(false, databaseDeadline, canceller);
    }

    /**
     * Statements of calls that are cancelled at their deadline are ended there by the database itself, too, so that they end even
     * if this process cannot tell it any more. On PostgreSQL in transactions, by {@code SET LOCAL statement_timeout}, exact to the
     * millisecond, at the price of a round trip per transaction, and of another when the limit has become too long by a tenth of
     * what is left, or by 100 ms; in autocommit there is no limit. With MariaDB's driver by {@code Statement.setQueryTimeout},
     * rounded up to a second, which batches do not heed. Other drivers' timeouts may outlive their statement and hit the next one, so they are left alone,
     * unless {@link StatementCanceller#timeoutsEndWithStatement} says otherwise. A shorter limit of the application's own stays
     * in force, and nothing of ours is left behind for the next borrower.
     */
    public JdbcOptions withDatabaseDeadline() {
        return new JdbcOptions(controlConnection, true, canceller);
    }

    public JdbcOptions withCanceller(StatementCanceller canceller) {
        return new JdbcOptions(controlConnection, databaseDeadline, canceller);
    }
}
