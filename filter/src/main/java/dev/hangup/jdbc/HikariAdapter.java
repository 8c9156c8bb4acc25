package dev.hangup.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

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
    public boolean resets() {
        return true;
    }

    @Override
    public void evict(Connection borrowed) {
        source.evictConnection(borrowed);
    }

    @Override
    public DirectConnections direct() {
        return this::open;
    }

    private Connection open() throws SQLException {
        DataSource driver = driver();
        if (driver == null) {
            throw new SQLException("this pool does not tell how it connects");
        }
        String user = source.getUsername();
        return user == null ? driver.getConnection() : driver.getConnection(user, source.getPassword());
    }

    private @Nullable DataSource driver() throws SQLException {
        DataSource given = source.getDataSource();
        return given == null && source.isWrapperFor(DriverDataSource.class)
                ? source.unwrap(DriverDataSource.class)
                : given;
    }
}
