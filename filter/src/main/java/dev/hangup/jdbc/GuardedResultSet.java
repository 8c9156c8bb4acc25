package dev.hangup.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Rows of a call's statement. As a call it closes the driver's, so that no object need be made to do it. */
final class GuardedResultSet extends DelegatingResultSet implements SqlCall.Silent {
    private final @Nullable GuardedStatement statement;

    GuardedResultSet(Access access, ResultSet driver, @Nullable GuardedStatement statement) {
        super(access, driver);
        this.statement = statement;
    }

    @Override
    <T> T fetch(SqlCall<T> call) throws SQLException {
        return access.run(Work.FETCH, running(), call);
    }

    @Override
    <T> T writeRow(SqlCall<T> call) throws SQLException {
        return access.run(Work.WRITE, running(), call);
    }

    private @Nullable Statement running() {
        return statement == null ? null : statement.driver;
    }

    @Override
    @Nullable
    GuardedStatement owner() {
        return statement;
    }

    /** Null where the driver has none, as for the database's own rows. */
    @Override
    public @Nullable Statement getStatement() throws SQLException {
        return statement;
    }

    @Override
    public void close() throws SQLException {
        access.end(this);
    }

    @Override
    public void call() throws SQLException {
        driver.close();
    }

    @Override
    public boolean isClosed() throws SQLException {
        return access.isGone() || driver.isClosed();
    }
}
