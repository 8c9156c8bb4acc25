package dev.hangup.jdbc;

import dev.hangup.call.CallScope;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.ShardingKeyBuilder;
import java.util.List;
import java.util.Objects;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source whose connections belong to the call that borrows them. When the call is cancelled, no new statement and no
 * commit can start on them, running statements are cancelled, and what they did is rolled back, by the worker or, if it is busy
 * elsewhere, by us; a commit that was already under way is left alone. A worker sees {@link CallCancelledSQLException}.
 *
 * <p>Everything must go through the same wrapped data source; what {@code unwrap} leads to is not guarded, and a connection
 * that was unwrapped is evicted after a cancel. Outside a call the pool's own connection is handed through. A cancel while a
 * worker waits for a free connection interrupts the wait (where the call's workers may be interrupted at all); a connection
 * that comes all the same goes straight back.
 *
 * <p>A connection goes back to its pool only if its state is certain: exactly one cancel was fired at it and seen to end the
 * statement. Otherwise it is evicted. HikariCP, Tomcat's JDBC pool and Commons DBCP are known; none of them need be present. Safe for any
 * thread.
 */
public final class CallerAwareDataSource implements DataSource {
    static {
        // Loaded now: a worker that is interrupted while it waits for a connection must not load it then.
        Objects.requireNonNull(CallCancelledSQLException.class);
    }

    private final DataSource source;
    private final ConnectionPool pool;

    CallerAwareDataSource(DataSource source, String name, PoolAdapter adapter, JdbcOptions options) {
        this.source = source;
        this.pool = new ConnectionPool(name, adapter, options);
    }

    /**
     * Wraps a pool.
     *
     * @param name how the pool is called in metrics, there with {@code jdbc:} in front; not blank
     * @throws IllegalArgumentException if the name is blank, the data source is wrapped already, or its transactions are JTA's
     */
    public static CallerAwareDataSource wrap(DataSource source, String name) {
        return wrap(source, name, JdbcOptions.DEFAULT);
    }

    /** As {@link #wrap(DataSource, String)}. */
    public static CallerAwareDataSource wrap(DataSource source, String name, JdbcOptions options) {
        Objects.requireNonNull(source, "source");
        if (name.isBlank()) {
            throw new IllegalArgumentException("a wrapped data source needs a name, got \"" + name + "\"");
        }
        if (source instanceof CallerAwareDataSource) {
            throw new IllegalArgumentException("the data source for \"" + name + "\" is wrapped already");
        }
        return new CallerAwareDataSource(source, name, PoolAdapter.of(source), options);
    }

    ConnectionPool pool() {
        return pool;
    }

    /**
     * The pools that were wrapped so far and are still in use, by their names in metrics, in alphabetical order: those of this
     * application, or of all that share this class.
     */
    public static List<String> wrapped() {
        return ConnectionPool.names();
    }

    /** A connection for the current call; outside a call the pool's own. A cancelled call gets none. */
    @Override
    public Connection getConnection() throws SQLException {
        return borrow(source::getConnection);
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        return borrow(() -> source.getConnection(username, password));
    }

    private Connection borrow(SqlCall<Connection> pooled) throws SQLException {
        CallScope call = CallScope.current();
        if (call == null || call.isEnded()) {
            return pooled.call();
        }
        if (call.isCancelled()) {
            throw new CallCancelledSQLException(call, "no new connection", null);
        }
        Connection driver;
        try {
            // Not guarded: an interrupt is what ends the wait. At worst it breaks a pooled connection that the pool is
            // just
            // testing, and the pool takes another.
            driver = pooled.call();
        } catch (SQLException e) {
            throw call.isCancelled() ? new CallCancelledSQLException(call, "no connection came", e) : e;
        }
        return Access.guarded(() -> pool.lend(call, driver));
    }

    /** The pool's own builder: its connections are not guarded. */
    @Override
    public ConnectionBuilder createConnectionBuilder() throws SQLException {
        return source.createConnectionBuilder();
    }

    @Override
    public ShardingKeyBuilder createShardingKeyBuilder() throws SQLException {
        return source.createShardingKeyBuilder();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return source.getParentLogger();
    }

    /** Reaches the pool, for its metrics and settings. */
    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this)
                ? type.cast(this)
                : type.isInstance(source) ? type.cast(source) : source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || type.isInstance(source) || source.isWrapperFor(type);
    }

    @Override
    public String toString() {
        return pool.name() + " over " + source;
    }
}
