package dev.hangup.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import javax.sql.DataSource;

/**
 * HikariCP. It closes an evicted connection by itself, in the background; closing the handle afterwards would fail inside
 * Hikari if the application had changed the connection's settings.
 */
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
