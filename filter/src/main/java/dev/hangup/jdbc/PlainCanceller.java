package dev.hangup.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A driver that we know nothing of: JDBC's own cancel, and after it the connection is never given back. */
final class PlainCanceller implements StatementCanceller {
    @Override
    public void cancel(Connection driver, @Nullable Statement running) throws SQLException {
        if (running != null) {
            running.cancel();
        }
    }

    @Override
    public boolean isCancelError(SQLException error) {
        return false;
    }
}
