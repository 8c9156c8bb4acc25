package dev.hangup.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A prepared statement of a call's connection. */
class GuardedPreparedStatement extends DelegatingPreparedStatement {
    GuardedPreparedStatement(GuardedConnection connection, PreparedStatement driver, Work work) {
        super(connection, driver, work);
    }

    @Override
    final <T> T runPrepared(SqlCall<T> call) throws SQLException {
        return access.run(work, prepared, call);
    }

    @Override
    final void batchEmptied() {}

    @Override
    final <T> T runBatch(SqlCall<T> call) throws SQLException {
        return runPrepared(call);
    }
}
