package dev.hangup.jdbc;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL's driver, reached by its public interfaces through its own class loader, which need not be ours.
 *
 * <p>{@code PGConnection.cancelQuery} rather than {@code Statement.cancel}, which silently does nothing in the first
 * microseconds of a statement and while rows are fetched from a cursor.
 */
final class Pgjdbc {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*");
    private static final int PIPELINED_SINCE = 42_07_07;

    /** How BEGIN travels. */
    enum Begin {
        /** BEGIN and the first statement succeed or fail together. */
        HARMLESS,
        /** The driver tells when BEGIN has been acknowledged. */
        VISIBLE,
        /** It does not: a fence goes first. */
        FENCED
    }

    final Begin begin;
    private final Class<?> type;
    private final MethodHandle cancelQuery;
    private final MethodHandle transactionState;
    private final MethodHandle backendPid;

    private Pgjdbc(Class<?> type, Begin begin) throws ReflectiveOperationException {
        this.type = type;
        this.begin = begin;
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        this.cancelQuery =
                lookup.unreflect(type.getMethod("cancelQuery")).asType(MethodType.methodType(void.class, Object.class));
        this.transactionState = lookup.unreflect(type.getMethod("getTransactionState"))
                .asType(MethodType.methodType(Object.class, Object.class));
        this.backendPid = lookup.unreflect(type.getMethod("getBackendPID"))
                .asType(MethodType.methodType(int.class, Object.class));
    }

    /** Null if the connection is not pgjdbc's. */
    static @Nullable Pgjdbc of(Connection driver) throws SQLException {
        ClassLoader own = driver.unwrap(Connection.class).getClass().getClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        Pgjdbc found = of(driver, own); // a pool that unwraps to itself has another loader than its driver
        return found == null && context != own ? of(driver, context) : found;
    }

    private static @Nullable Pgjdbc of(Connection driver, @Nullable ClassLoader loader) throws SQLException {
        try {
            Class<?> type = Class.forName("org.postgresql.core.BaseConnection", false, loader);
            return driver.isWrapperFor(type) ? new Pgjdbc(type, begin(driver, type, type.getClassLoader())) : null;
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private static Begin begin(Connection driver, Class<?> type, @Nullable ClassLoader loader)
            throws SQLException, ReflectiveOperationException {
        Object mode = type.getMethod("getPreferQueryMode").invoke(driver.unwrap(type));
        if (version(driver) < PIPELINED_SINCE && mode.toString().equals("EXTENDED")) {
            return Begin.HARMLESS;
        }
        try {
            Class<?> executor = Class.forName("org.postgresql.core.QueryExecutorBase", false, loader);
            int modifiers = executor.getDeclaredField("transactionState").getModifiers();
            return Modifier.isVolatile(modifiers) ? Begin.VISIBLE : Begin.FENCED;
        } catch (ClassNotFoundException | NoSuchFieldException e) {
            return Begin.FENCED;
        }
    }

    /** 42.7.14 is 420714; what cannot be read is taken for new. */
    private static int version(Connection driver) throws SQLException {
        Matcher matcher = VERSION.matcher(driver.getMetaData().getDriverVersion());
        return matcher.matches()
                ? Integer.parseInt(matcher.group(1)) * 10_000
                        + Integer.parseInt(matcher.group(2)) * 100
                        + Integer.parseInt(matcher.group(3))
                : Integer.MAX_VALUE;
    }

    /** The driver's own connection, the same object as long as it is open. */
    Object own(Connection driver) throws SQLException {
        return driver.unwrap(type);
    }

    /** Whether the server has told last that no transaction is open. Any thread. */
    boolean isIdle(Connection driver) throws SQLException {
        return stands(driver, "IDLE");
    }

    /** Whether it has told last that a statement of the transaction has failed, and no other will be executed. */
    boolean hasFailed(Connection driver) throws SQLException {
        return stands(driver, "FAILED");
    }

    private boolean stands(Connection driver, String state) throws SQLException {
        Object connection = own(driver);
        try {
            return ((Enum<?>) (Object) transactionState.invokeExact(connection))
                    .name()
                    .equals(state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** What the server has called its process; behind a pooler some number. */
    int backendPid(Connection driver) throws SQLException {
        Object connection = own(driver);
        try {
            return (int) backendPid.invokeExact(connection);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** The protocol's cancel: a connection of its own to where this one goes. Returns when the server has closed it. Any thread. */
    void cancelQuery(Connection driver) throws SQLException {
        Object connection = own(driver);
        try {
            cancelQuery.invokeExact(connection);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static SQLException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof SQLException known ? known : new SQLException(e);
    }
}
