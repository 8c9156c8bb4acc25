package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.CallScope;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** From a connection of ours no way leads to an object of the driver's, except the ways that say so. */
final class HandlesTest {
    private static final Set<Class<?>> OURS = Set.of(
            Connection.class,
            Statement.class,
            PreparedStatement.class,
            CallableStatement.class,
            ResultSet.class,
            DatabaseMetaData.class,
            ResultSetMetaData.class,
            ParameterMetaData.class);
    /** These end what the others need. */
    private static final Set<String> LAST = Set.of("close", "abort", "unwrap", "setAutoCommit");

    private final TestEngine engine = new TestEngine();
    private final CallScope call = engine.begin();
    private final List<String> driverCalls = new ArrayList<>();
    private final Set<Class<?>> visited = new HashSet<>();

    @AfterEach
    void end() {
        TestEngine.end(call);
        engine.close();
    }

    /** Every method is called once on every kind of handle: it reaches the driver, and what comes back is a handle. */
    @Test
    void handsOutHandlesOnly() throws Exception {
        StubPool pool = new StubPool(new StubDatabase(), 1);
        ConnectionPool connections = new ConnectionPool("all", pool, JdbcOptions.DEFAULT.withCanceller(pool));
        visit(Connection.class, connections.lend(call, driver(Connection.class)));
        assertThat(visited).isEqualTo(OURS);
    }

    private void visit(Class<?> type, Object handle) throws ReflectiveOperationException {
        if (!visited.add(type)) {
            return;
        }
        assertThat(handle.getClass().getPackage())
                .as(type.getName())
                .isEqualTo(getClass().getPackage());
        for (Method method : type.getMethods()) {
            if (Modifier.isStatic(method.getModifiers()) || LAST.contains(method.getName())) {
                continue;
            }
            driverCalls.clear();
            Object result = call(handle, method);
            Class<?> returned = method.getReturnType();
            boolean answeredByUs =
                    Set.of("getConnection", "getStatement", "isWrapperFor").contains(method.getName());
            assertThat(answeredByUs || driverCalls.contains(method.getName()))
                    .as(method.toString())
                    .isTrue();
            if (OURS.contains(returned) && result != null) {
                assertThat(result).as(method.toString()).isInstanceOf(Handle.class);
                visit(returned, result);
            }
        }
    }

    private static @Nullable Object call(Object handle, Method method) throws ReflectiveOperationException {
        Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++) {
            Class<?> type = method.getParameterTypes()[i];
            arguments[i] = type == String.class
                    ? "SELECT 1"
                    : type == Class.class
                            ? String.class
                            : type == Properties.class ? new Properties() : type.isPrimitive() ? zero(type) : null;
        }
        try {
            return method.invoke(handle, arguments);
        } catch (InvocationTargetException e) {
            throw new AssertionError(method + " threw", e.getCause());
        }
    }

    @Test
    void keepsIdentity() throws SQLException {
        StubPool pool = new StubPool(new StubDatabase(), 1);
        try (Connection connection = pool.wrapped().getConnection();
                Statement statement = connection.createStatement()) {
            ResultSet rows = statement.executeQuery("SELECT 1");
            assertThat(statement.getConnection()).isSameAs(connection);
            assertThat(rows.getStatement()).isSameAs(statement);
            assertThat(Set.of(connection, statement)).contains(statement.getConnection(), rows.getStatement());
            assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
            assertThat(connection.isWrapperFor(Proxy.class)).isTrue();
            assertThat(statement.toString()).isEqualTo("stub");
        }
    }

    /** A class loader with our classes and the JDK's, and nothing else. */
    @Test
    void loadsWithoutAnyPool() throws Exception {
        URL ours = CallerAwareDataSource.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation();
        try (URLClassLoader bare = new URLClassLoader(new URL[] {ours}, ClassLoader.getPlatformClassLoader())) {
            Class<?> type = bare.loadClass(CallerAwareDataSource.class.getName());
            DataSource source = driver(DataSource.class);
            DataSource wrapped = (DataSource)
                    type.getMethod("wrap", DataSource.class, String.class).invoke(null, source, "bare");
            assertThat(wrapped.getClass()).isSameAs(type);
            assertThat(wrapped.unwrap(DataSource.class)).isSameAs(wrapped);
            assertThat(wrapped.getConnection()).isNotNull();
        }
    }

    /** A driver of which every method that returns something of JDBC's returns something. */
    private <T> T driver(Class<T> type) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            driverCalls.add(method.getName());
            Class<?> returned = method.getReturnType();
            if (method.getName().equals("getAutoCommit")) {
                return true;
            }
            if (OURS.contains(returned)) {
                return driver(returned);
            }
            return switch (method.getName()) {
                case "toString" -> "driver";
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == arguments[0];
                default -> returned.isPrimitive() && returned != void.class ? zero(returned) : null;
            };
        };
        return type.cast(Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object zero(Class<?> type) {
        return type == boolean.class
                ? (Object) false
                : type == byte.class
                        ? (Object) (byte) 0
                        : type == short.class
                                ? (Object) (short) 0
                                : type == long.class
                                        ? (Object) 0L
                                        : type == float.class
                                                ? (Object) 0f
                                                : type == double.class ? (Object) 0d : (Object) 0;
    }
}
