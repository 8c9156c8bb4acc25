package dev.hangup.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A database and its driver in memory, as unkind as PostgreSQL: a cancel hits whatever statement runs on the connection when it
 * arrives, and nothing if none does. Statements: {@code INSERT n} adds a row to the transaction, {@code SELECT n} works n
 * microseconds, {@code SELECT block} works until it is cancelled, released or aborted.
 */
final class StubDatabase {
    /** Committed rows. */
    final Set<Integer> rows = ConcurrentHashMap.newKeySet();

    final AtomicInteger statements = new AtomicInteger();
    final AtomicInteger cancels = new AtomicInteger();
    /** Workers that stood in a statement or a commit with their interrupt flag set. */
    final AtomicInteger interrupted = new AtomicInteger();

    /** What happens on the way of a cancel to the server. */
    volatile Runnable cancelling = () -> {};
    /** What happens at the start of a commit, with the row. */
    volatile IntConsumer committing = row -> {};
    /** What a cancelled statement ends with. */
    volatile String cancelState = "57014";

    /** A physical connection and its session on the server. */
    final class Session {
        private static final int NONE = -1;

        final AtomicReference<@Nullable Run> current = new AtomicReference<>();
        volatile boolean closed;
        private volatile boolean autoCommit = true;
        private volatile int pending = NONE;

        boolean isClean() {
            return pending == NONE && current.get() == null;
        }

        void reset() {
            pending = NONE;
            autoCommit = true;
        }

        void cancel() {
            cancels.incrementAndGet();
            cancelling.run();
            Run run = current.get();
            if (run != null) {
                run.cancelled = true;
                LockSupport.unpark(run.worker);
            }
        }

        void close() {
            closed = true;
            Run run = current.get();
            if (run != null) {
                LockSupport.unpark(run.worker);
            }
        }

        void commit() throws SQLException {
            check();
            int row = pending;
            committing.accept(row);
            noteInterrupt();
            if (row != NONE) {
                rows.add(row);
            }
            pending = NONE;
        }

        void rollback() throws SQLException {
            check();
            pending = NONE;
        }

        boolean autoCommit() throws SQLException {
            check();
            return autoCommit;
        }

        void setAutoCommit(boolean on) throws SQLException {
            check();
            if (on && !autoCommit) {
                commit();
            }
            autoCommit = on;
        }

        void execute(String sql) throws SQLException {
            check();
            statements.incrementAndGet();
            String[] words = sql.split(" ", 2);
            Run run = new Run();
            current.set(run);
            try {
                if (sql.endsWith("block")) {
                    await(run, Long.MAX_VALUE);
                } else if (words[0].equals("SELECT")) {
                    await(run, Long.parseLong(words[1]) * 1_000);
                }
                if (run.cancelled) {
                    throw new SQLException("canceling statement due to user request", cancelState);
                }
                check();
            } finally {
                current.set(null);
                noteInterrupt();
            }
            if (words[0].equals("INSERT")) {
                pending = Integer.parseInt(words[1]);
            }
            if (words[0].equalsIgnoreCase("COMMIT") || autoCommit) {
                commit();
            }
        }

        void release() {
            Run run = current.get();
            if (run != null) {
                run.released = true;
                LockSupport.unpark(run.worker);
            }
        }

        private void await(Run run, long nanos) {
            long start = System.nanoTime();
            while (!run.cancelled && !run.released && !closed && System.nanoTime() - start < nanos) {
                if (nanos == Long.MAX_VALUE) {
                    LockSupport.parkNanos(1_000_000);
                } else {
                    Thread.onSpinWait();
                }
            }
        }

        private void noteInterrupt() {
            if (Thread.currentThread().isInterrupted()) {
                interrupted.incrementAndGet();
            }
        }

        private void check() throws SQLException {
            if (closed) {
                throw new SQLException("connection closed", "08003");
            }
        }

        /** A fresh handle, as a pool hands it out; its close gives the session back. */
        Connection handle(Runnable giveBack) {
            return proxy(Connection.class, new ConnectionHandler(this, giveBack));
        }
    }

    /** A statement that runs on the server. */
    static final class Run {
        final Thread worker = Thread.currentThread();
        volatile boolean cancelled;
        volatile boolean released;
    }

    /** Answers what matters, and null, 0 or false to everything else. */
    private abstract static class Handler implements InvocationHandler {
        @Override
        public final @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
                throws Throwable {
            Object[] given = arguments == null ? new Object[0] : arguments;
            return switch (method.getName()) {
                case "equals" -> proxy == given[0];
                case "hashCode" -> System.identityHashCode(proxy);
                case "toString" -> "stub";
                case "unwrap" -> proxy;
                case "isWrapperFor" -> ((Class<?>) given[0]).isInstance(proxy);
                default -> {
                    Object answer = answer(proxy, method, given);
                    yield answer == null ? nothing(method.getReturnType()) : answer;
                }
            };
        }

        abstract @Nullable Object answer(Object proxy, Method method, Object[] arguments) throws SQLException;

        private static @Nullable Object nothing(Class<?> type) {
            if (type == boolean.class) {
                return false;
            }
            return type == int.class || type == short.class || type == byte.class
                    ? (Object) 0
                    : type == long.class ? (Object) 0L : null;
        }
    }

    private static final class ConnectionHandler extends Handler {
        private final Session session;
        private final Runnable giveBack;
        private volatile boolean closed;

        ConnectionHandler(Session session, Runnable giveBack) {
            this.session = session;
            this.giveBack = giveBack;
        }

        @Override
        @Nullable
        Object answer(Object proxy, Method method, Object[] arguments) throws SQLException {
            switch (method.getName()) {
                case "commit" -> session.commit();
                case "rollback" -> session.rollback();
                case "getAutoCommit" -> {
                    return session.autoCommit();
                }
                case "setAutoCommit" -> session.setAutoCommit((Boolean) arguments[0]);
                case "isClosed" -> {
                    return closed || session.closed;
                }
                case "abort" -> session.close();
                case "close" -> {
                    if (!closed) {
                        closed = true;
                        giveBack.run();
                    }
                }
                case "createStatement" -> {
                    return proxy(Statement.class, new StatementHandler(session, (Connection) proxy, ""));
                }
                case "prepareStatement" -> {
                    return proxy(PreparedStatement.class, new StatementHandler(session, (Connection) proxy, (String)
                            arguments[0]));
                }
                case "prepareCall" -> {
                    return proxy(CallableStatement.class, new StatementHandler(session, (Connection) proxy, (String)
                            arguments[0]));
                }
                default -> {
                    return null;
                }
            }
            return null;
        }
    }

    private static final class StatementHandler extends Handler {
        private final Session session;
        private final Connection connection;
        private final String prepared;

        StatementHandler(Session session, Connection connection, String prepared) {
            this.session = session;
            this.connection = connection;
            this.prepared = prepared;
        }

        @Override
        @Nullable
        Object answer(Object proxy, Method method, Object[] arguments) throws SQLException {
            String name = method.getName();
            if (name.startsWith("execute")) {
                session.execute(arguments.length == 0 ? prepared : (String) arguments[0]);
            }
            switch (name) {
                case "cancel" -> session.cancel();
                case "getConnection" -> {
                    return connection;
                }
                case "executeQuery", "getResultSet", "getGeneratedKeys" -> {
                    return proxy(ResultSet.class, new ResultSetHandler((Statement) proxy));
                }
                default -> {
                    return null;
                }
            }
            return null;
        }
    }

    private static final class ResultSetHandler extends Handler {
        private final Statement statement;

        ResultSetHandler(Statement statement) {
            this.statement = statement;
        }

        @Override
        @Nullable
        Object answer(Object proxy, Method method, Object[] arguments) {
            return method.getName().equals("getStatement") ? statement : null;
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(StubDatabase.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
