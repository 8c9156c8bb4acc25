package dev.hangup.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import javax.sql.DataSource;

/** HikariCP. Evicting leaves a connection alone that has been given back, because its handle is closed then. */
final class HikariAdapter implements PoolAdapter {
    private final HikariDataSource source;

    private HikariAdapter(HikariDataSource source) {
        this.source = source;
    }

    static PoolAdapter of(DataSource source) {
        return new HikariAdapter((HikariDataSource) source);
    }

    @Override
    public int size() {
        return source.getMaximumPoolSize();
    }

    @Override
    public void evict(Connection borrowed) {
        source.evictConnection(borrowed);
    }
}
