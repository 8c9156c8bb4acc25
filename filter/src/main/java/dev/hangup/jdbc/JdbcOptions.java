package dev.hangup.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * What is not as usual in a wrapped data source.
 *
 * @param controlConnection whether PostgreSQL may be told to cancel on one connection beside the pool, which is opened when it is needed
 * @param canceller how the driver's statements are cancelled, for a driver that Hangup does not know; null to look
 */
public record JdbcOptions(
        boolean controlConnection, @Nullable StatementCanceller canceller) {
    /** A control connection, and the driver found out. */
    public static final JdbcOptions DEFAULT = new JdbcOptions(true, null);

    /** The protocol's own cancel only: each takes a connection of its own for a moment. */
    public JdbcOptions withoutControlConnection() {
        return new JdbcOptions(false, canceller);
    }

    public JdbcOptions withCanceller(StatementCanceller canceller) {
        return new JdbcOptions(controlConnection, canceller);
    }
}
