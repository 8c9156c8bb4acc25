package dev.hangup.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.commons.dbcp2.PoolableConnection;

/** Commons DBCP 2. */
final class DbcpAdapter implements PoolAdapter {
    private final BasicDataSource source;

    private DbcpAdapter(BasicDataSource source) {
        this.source = source;
    }

    static PoolAdapter of(DataSource source) {
        return new DbcpAdapter((BasicDataSource) source);
    }

    @Override
    public int size() {
        return source.getMaxTotal();
    }

    @Override
    public void evict(Connection borrowed) {
        source.invalidateConnection(borrowed);
    }

    @Override
    public void breakOff(Connection borrowed) throws SQLException {
        // First the driver's own: the pool closes politely, and would wait for whoever is inside.
        borrowed.unwrap(PoolableConnection.class).getInnermostDelegateInternal().abort(Runnable::run);
        try {
            evict(borrowed);
        } catch (IllegalStateException e) {
            throw new SQLException(e); // it is gone, and its connection was closed already
        }
    }
}
