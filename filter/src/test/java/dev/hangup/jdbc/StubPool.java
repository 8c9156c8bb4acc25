package dev.hangup.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A pool over the stub database that notices what must not happen: a connection that comes back with work in it. */
final class StubPool implements DataSource, PoolAdapter, StatementCanceller {
    final StubDatabase database;
    final AtomicInteger evicted = new AtomicInteger();
    /** Connections that came back with an open transaction or a running statement. */
    final AtomicInteger dirty = new AtomicInteger();

    /** Connections that were to be cleaned of a cancel that may have come late. */
    final AtomicInteger absorbed = new AtomicInteger();

    /** Whether that works. */
    volatile boolean absorbs;

    private final int size;
    private final BlockingQueue<StubDatabase.Session> idle = new LinkedBlockingQueue<>();
    private final Map<Connection, StubDatabase.Session> lent = new ConcurrentHashMap<>();

    StubPool(StubDatabase database, int size) {
        this.database = database;
        this.size = size;
        for (int i = 0; i < size; i++) {
            idle.add(database.new Session());
        }
    }

    CallerAwareDataSource wrapped() {
        return new CallerAwareDataSource(this, "stub", this, JdbcOptions.DEFAULT.withCanceller(this));
    }

    int idle() {
        return idle.size();
    }

    /** The one session that is lent now. */
    StubDatabase.Session session() {
        return lent.values().iterator().next();
    }

    @Override
    public Connection getConnection() throws SQLException {
        StubDatabase.Session session;
        try {
            session = idle.poll(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while waiting for a connection", e);
        }
        if (session == null) {
            throw new SQLException("no connection within 5 s");
        }
        Connection[] handle = new Connection[1];
        handle[0] = session.handle(() -> giveBack(handle[0]));
        lent.put(handle[0], session);
        return handle[0];
    }

    private void giveBack(Connection handle) {
        StubDatabase.Session session = lent.remove(handle);
        if (session != null) {
            if (!session.isClean()) {
                dirty.incrementAndGet();
            }
            session.reset();
            idle.add(session);
        }
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public void evict(Connection borrowed) {
        StubDatabase.Session session = lent.remove(borrowed);
        if (session != null) {
            evicted.incrementAndGet();
            session.close();
            idle.add(database.new Session());
        }
    }

    @Override
    public boolean cancel(Connection driver, @Nullable Statement running, boolean autoCommit) throws SQLException {
        if (running != null) {
            running.cancel();
        }
        return true;
    }

    @Override
    public boolean absorb(Connection driver) {
        absorbed.incrementAndGet();
        return absorbs;
    }

    @Override
    public boolean isCancelError(SQLException error) {
        return "57014".equals(error.getSQLState());
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return type.cast(this);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return type.isInstance(this);
    }
}
