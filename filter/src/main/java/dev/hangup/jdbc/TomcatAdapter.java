package dev.hangup.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.apache.tomcat.jdbc.pool.DataSource;
import org.apache.tomcat.jdbc.pool.PooledConnection;

/**
 * Tomcat's JDBC pool. It lends again whatever comes back to it, open transaction and all, unless that is marked as discarded; so
 * nothing may only be aborted and closed.
 */
final class TomcatAdapter implements PoolAdapter {
    private final DataSource source;

    private TomcatAdapter(DataSource source) {
        this.source = source;
    }

    static PoolAdapter of(javax.sql.DataSource source) {
        return new TomcatAdapter((DataSource) source);
    }

    @Override
    public int size() {
        return source.getMaxActive();
    }

    @Override
    public void evict(Connection borrowed) throws SQLException {
        borrowed.unwrap(PooledConnection.class).setDiscarded(true);
        borrowed.close();
    }

    @Override
    public void breakOff(Connection borrowed) throws SQLException {
        PooledConnection pooled = borrowed.unwrap(PooledConnection.class);
        pooled.setDiscarded(true);
        Connection driver = pooled.getConnection();
        if (driver != null) {
            driver.abort(Runnable::run);
        }
        borrowed.close();
    }

    @Override
    public DirectConnections direct() {
        return () -> {
            PooledConnection beside = new PooledConnection(source.getPoolProperties(), null);
            beside.connect();
            return beside.getConnection();
        };
    }
}
