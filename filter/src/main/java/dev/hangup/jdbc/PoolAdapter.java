package dev.hangup.jdbc;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What one connection pool must do for us. */
interface PoolAdapter {
    /** Subclasses of what we know, and others, that enlist their connections in JTA's transactions. */
    Set<String> DISTRIBUTED = Set.of(
            "org.apache.tomcat.jdbc.pool.XADataSource",
            "org.apache.commons.dbcp2.managed.BasicManagedDataSource",
            "com.atomikos.jdbc.AbstractDataSourceBean");

    /** By the class's name first, so that no pool's classes are needed to wrap another's. */
    static PoolAdapter of(DataSource source) {
        for (Class<?> type = source.getClass(); type != null; type = type.getSuperclass()) {
            String name = type.getName();
            if (name.equals("com.zaxxer.hikari.HikariDataSource")) {
                return HikariAdapter.of(source);
            }
            if (name.equals("org.apache.tomcat.jdbc.pool.DataSource")) {
                return TomcatAdapter.of(source);
            }
            if (name.equals("org.apache.commons.dbcp2.BasicDataSource")) {
                return DbcpAdapter.of(source);
            }
            if (DISTRIBUTED.contains(name)) {
                throw new IllegalArgumentException(Distributed.message(name));
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

    /** Whether the pool itself takes back what a borrower has changed: read-only, isolation level, schema and so on. */
    default boolean resets() {
        return false;
    }

    /** Throws a borrowed connection away, instead of closing it: it is never lent again. {@code borrowed} is the pool's own handle, which nobody uses now. Any thread. */
    void evict(Connection borrowed) throws SQLException;

    /** As {@link #evict}, while somebody may stand inside: that one is freed, too. */
    default void breakOff(Connection borrowed) throws SQLException {
        evict(borrowed);
        borrowed.abort(Runnable::run);
    }

    /** How to connect to the same database beside the pool; null where the pool does not tell. */
    default @Nullable DirectConnections direct() {
        return null;
    }

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

        @Override
        public void breakOff(Connection borrowed) throws SQLException {
            evict(borrowed);
        }
    }
}
