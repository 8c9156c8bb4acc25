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
import org.jspecify.annotations.Nullable;

/** The stub driver's connections, statements and rows. */
final class StubHandles {
    private StubHandles() {}

    static Connection connection(StubDatabase.Session session, Runnable giveBack) {
        return proxy(Connection.class, new ConnectionHandler(session, giveBack));
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
        private final StubDatabase.Session session;
        private final Runnable giveBack;
        private volatile boolean closed;

        ConnectionHandler(StubDatabase.Session session, Runnable giveBack) {
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
        private final StubDatabase.Session session;
        private final Connection connection;
        private final String prepared;

        StatementHandler(StubDatabase.Session session, Connection connection, String prepared) {
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
        return type.cast(Proxy.newProxyInstance(StubHandles.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
