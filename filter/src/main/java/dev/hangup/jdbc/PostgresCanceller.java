package dev.hangup.jdbc;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * pgjdbc, reached by its public interfaces through the driver's own class loader, which need not be ours.
 *
 * <p>{@code PGConnection.cancelQuery} rather than {@code Statement.cancel}, which silently does nothing in the first
 * microseconds of a statement and while rows are fetched from a cursor.
 *
 * <p>Trap: since 42.7.7 the driver sends BEGIN as a query of its own, in one packet with the transaction's first statement. A
 * cancel that hits BEGIN lets that statement run, and commit, by itself. So nothing is fired until the server has
 * acknowledged BEGIN: from 42.7.9 on the driver's transaction state can be read while a statement runs, and it changes with
 * that very answer. This costs nothing. On 42.7.7 and 42.7.8 it cannot be read; there each transaction begins with a
 * statement that is never cancelled, which costs a round trip per transaction.
 */
final class PostgresCanceller implements StatementCanceller {
    private static final Duration PATIENCE = Duration.ofMillis(3);

    private static final String QUERY_CANCELED = "57014";
    /** Takes no snapshot, so that the application can still choose the isolation level. */
    private static final String FENCE = "SHOW transaction_isolation";

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*");
    private static final int PIPELINED_SINCE = 42_07_07;

    private enum Begin {
        /** BEGIN and the first statement succeed or fail together. */
        HARMLESS,
        /** The driver tells when BEGIN has been acknowledged. */
        VISIBLE,
        /** It does not: a fence goes first. */
        FENCED
    }

    private final Class<?> type;
    private final MethodHandle cancelQuery;
    private final MethodHandle transactionState;
    private final Begin begin;

    private PostgresCanceller(Class<?> type, Begin begin) throws ReflectiveOperationException {
        this.type = type;
        this.begin = begin;
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        this.cancelQuery =
                lookup.unreflect(type.getMethod("cancelQuery")).asType(MethodType.methodType(void.class, Object.class));
        this.transactionState = lookup.unreflect(type.getMethod("getTransactionState"))
                .asType(MethodType.methodType(Object.class, Object.class));
    }

    /** Null if the connection is not pgjdbc's. */
    static @Nullable StatementCanceller of(Connection driver) throws SQLException {
        ClassLoader loader = driver.unwrap(Connection.class).getClass().getClassLoader();
        try {
            Class<?> type = Class.forName("org.postgresql.core.BaseConnection", false, loader);
            return driver.isWrapperFor(type) ? new PostgresCanceller(type, begin(driver, type, loader)) : null;
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

    /** A cancel request takes a connection and a process of the server's, about 1 ms; most statements take less. */
    @Override
    public Duration patience() {
        return PATIENCE;
    }

    @Override
    public void beforeStatement(Connection driver) throws SQLException {
        if (begin == Begin.FENCED && isIdle(driver)) {
            try (Statement fence = driver.createStatement()) {
                fence.execute(FENCE);
            }
        }
    }

    @Override
    public boolean isReady(Connection driver, boolean autoCommit) {
        try {
            return begin != Begin.VISIBLE || autoCommit || !isIdle(driver);
        } catch (SQLException e) {
            return false; // closed meanwhile: there is nothing to stop
        }
    }

    /** Whether the server has told last that no transaction is open. */
    private boolean isIdle(Connection driver) throws SQLException {
        Object connection = driver.unwrap(type);
        try {
            return ((Enum<?>) (Object) transactionState.invokeExact(connection))
                    .name()
                    .equals("IDLE");
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    @Override
    public void cancel(Connection driver, @Nullable Statement running) throws SQLException {
        Object connection = driver.unwrap(type);
        try {
            cancelQuery.invokeExact(connection);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** With anything else in the chain the cancel hit BEGIN, or the connection broke. */
    @Override
    public boolean isCancelError(SQLException error) {
        for (SQLException e = error; e != null; e = e.getNextException()) {
            if (!QUERY_CANCELED.equals(e.getSQLState())) {
                return false;
            }
        }
        return true;
    }

    private static SQLException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof SQLException known ? known : new SQLException(e);
    }
}
