package dev.hangup.it.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A pool as somebody may have written it himself: what was closed is lent again, unless it is closed underneath. */
final class LittlePool implements DataSource {
    private final DataSource database;
    private final int size;
    private final Semaphore permits;
    private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();

    LittlePool(DataSource database, int size) {
        this.database = database;
        this.size = size;
        this.permits = new Semaphore(size);
    }

    int active() {
        return size - permits.availablePermits();
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            if (!permits.tryAcquire(5, TimeUnit.SECONDS)) {
                throw new SQLException("no connection within 5 s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted", e);
        }
        try {
            Connection pooled = idle.poll();
            return handle(pooled == null ? database.getConnection() : pooled);
        } catch (SQLException e) {
            permits.release();
            throw e;
        }
    }

    private Connection handle(Connection driver) {
        AtomicBoolean closed = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        if (closed.compareAndSet(false, true)) {
                            giveBack(driver);
                        }
                        return null;
                    }
                    if (method.getName().equals("unwrap") && !driver.isWrapperFor((Class<?>) arguments[0])) {
                        return driver;
                    }
                    try {
                        return method.invoke(driver, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void giveBack(Connection driver) throws SQLException {
        if (!driver.isClosed()) {
            driver.setAutoCommit(true);
            idle.add(driver);
        }
        permits.release();
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
