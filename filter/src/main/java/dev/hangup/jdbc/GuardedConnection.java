package dev.hangup.jdbc;

import java.sql.CallableStatement;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;

/** A connection in the hands of a call. Safe for several threads as far as the driver is; a second one waits for the first. */
final class GuardedConnection extends DelegatingConnection {
    GuardedConnection(Access access) {
        super(access, access.driver());
        access.handOut(this);
    }

    @Override
    Statement statement(Statement driver) {
        return new GuardedStatement(this, driver, Work.READ);
    }

    @Override
    PreparedStatement prepared(PreparedStatement driver, String sql) {
        return new GuardedPreparedStatement(this, driver, Work.of(sql));
    }

    @Override
    CallableStatement callable(CallableStatement driver, String sql) {
        return new GuardedCallableStatement(this, driver, Work.of(sql));
    }

    @Override
    public PreparedStatement prepareStatement(String sql) throws SQLException {
        return prepared(access.prepare(sql), sql);
    }

    @Override
    public void setAutoCommit(boolean autoCommit) throws SQLException {
        access.setAutoCommit(autoCommit);
    }

    @Override
    public void commit() throws SQLException {
        access.commit(() -> {
            driver.commit();
            return true;
        });
    }

    @Override
    public void rollback() throws SQLException {
        access.rollback();
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        access.use(() -> {
            driver.rollback(savepoint);
            access.borrow.limitDisturbed();
            return true;
        });
    }

    @Override
    public void close() throws SQLException {
        access.close();
    }

    @Override
    public boolean isClosed() throws SQLException {
        return access.isGone() || driver.isClosed();
    }

    @Override
    public boolean isValid(int timeout) throws SQLException {
        return !isClosed() && access.use(() -> driver.isValid(timeout));
    }

    /** Not gated: it is there to free a worker that stands in the gate. */
    @Override
    public void abort(Executor executor) throws SQLException {
        access.outside();
        driver.abort(executor);
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        return access.open(() -> new GuardedDatabaseMetaData(this, driver.getMetaData()));
    }

    @Override
    public void setClientInfo(String name, String value) throws SQLClientInfoException {
        setting(() -> driver.setClientInfo(name, value));
    }

    @Override
    public void setClientInfo(Properties properties) throws SQLClientInfoException {
        setting(() -> driver.setClientInfo(properties));
    }

    private void setting(SqlCall.Silent call) throws SQLClientInfoException {
        try {
            access.change(() -> {
                call.call();
                return true;
            });
        } catch (SQLClientInfoException e) {
            throw e;
        } catch (SQLException e) {
            throw new SQLClientInfoException(e.getMessage(), e.getSQLState(), Map.of(), e);
        }
    }
}
