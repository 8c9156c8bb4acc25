package dev.hangup.jdbc;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** What one connection pool must do for us. */
interface PoolAdapter {
    /** By the class's name first, so that no pool's classes are needed to wrap another's. */
    static PoolAdapter of(DataSource source) {
        for (Class<?> type = source.getClass(); type != null; type = type.getSuperclass()) {
            if (type.getName().equals("com.zaxxer.hikari.HikariDataSource")) {
                return HikariAdapter.of(source);
            }
        }
        System.getLogger("dev.hangup")
                .log(
                        Level.WARNING,
                        "{0} is no pool that Hangup knows: its size is unknown, and a connection whose state is not"
                                + " certain after a cancel is aborted",
                        source.getClass().getName());
        return new UnknownPool();
    }

    /** Most connections at once; -1 if unknown. */
    int size();

    /** Throws a borrowed connection away, instead of closing it: it is never lent again. Any thread; {@code borrowed} is the pool's own handle. */
    void evict(Connection borrowed) throws SQLException;

    /** A data source that is no pool, or one that we do not know. */
    final class UnknownPool implements PoolAdapter {
        @Override
        public int size() {
            return -1;
        }

        @Override
        public void evict(Connection borrowed) throws SQLException {
            borrowed.unwrap(Connection.class).abort(Runnable::run);
            borrowed.close();
        }
    }
}
