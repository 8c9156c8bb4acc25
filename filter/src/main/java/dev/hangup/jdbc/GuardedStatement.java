package dev.hangup.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A statement of a call's connection. As a call it closes the driver's, so that no object need be made to do it. */
class GuardedStatement extends DelegatingStatement implements SqlCall.Silent {
    /** The rows handed out last: asked for again, they are the same object. Written by workers, one at a time. */
    private @Nullable GuardedResultSet current;

    /** What its batch does so far; of a prepared statement what its text does. */
    Work work;

    GuardedStatement(GuardedConnection connection, Statement driver, Work work) {
        super(connection.access, driver);
        this.work = work;
    }

    @Override
    <T> T run(String sql, SqlCall<T> call) throws SQLException {
        return access.run(Work.of(sql), driver, call);
    }

    @Override
    <T> T runBatch(SqlCall<T> call) throws SQLException {
        Work batch = work;
        batchEmptied();
        return access.run(batch, driver, call);
    }

    /** Inside the gate, or about to enter it. */
    void batchEmptied() {
        work = Work.READ;
    }

    @Override
    <T> T moreResults(SqlCall<T> call) throws SQLException {
        return access.run(Work.FETCH, driver, call);
    }

    @Override
    final GuardedStatement owner() {
        return this;
    }

    @Override
    @SuppressWarnings("NullAway")
    final ResultSet rows(@Nullable ResultSet rows) {
        GuardedResultSet known = current;
        if (rows == null || (known != null && known.driver == rows)) {
            return rows == null ? null : known;
        }
        GuardedResultSet guarded = new GuardedResultSet(access, rows, this);
        current = guarded;
        return guarded;
    }

    @Override
    public final void addBatch(String sql) throws SQLException {
        access.touch();
        try {
            driver.addBatch(sql);
            work = work.and(Work.of(sql));
        } catch (SQLException e) {
            throw access.translated(e);
        } finally {
            access.touched();
        }
    }

    @Override
    public final void clearBatch() throws SQLException {
        access.touch();
        try {
            driver.clearBatch();
            batchEmptied();
        } catch (SQLException e) {
            throw access.translated(e);
        } finally {
            access.touched();
        }
    }

    /** Not gated: it is the application's own cancel of what stands in the gate. */
    @Override
    public final void cancel() throws SQLException {
        driver.cancel();
    }

    @Override
    public final void close() throws SQLException {
        access.end(this);
    }

    @Override
    public final void call() throws SQLException {
        driver.close();
    }

    @Override
    public final boolean isClosed() throws SQLException {
        return access.isGone() || driver.isClosed();
    }

    @Override
    public final Connection getConnection() {
        return access.connection();
    }
}
