package dev.hangup.jdbc;

import dev.hangup.call.Log;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL. Statements are cancelled through {@link PostgresControl} where it provably speaks of the same process, which is
 * looked at once per physical connection; otherwise (a pooler in between, another host, no such connection) by the protocol's
 * own cancel, which goes wherever the connection goes.
 *
 * <p>Trap: since pgjdbc 42.7.7 BEGIN is a query of its own, in one packet with the transaction's first statement. A cancel that
 * hits BEGIN lets that statement run, and commit, by itself. So nothing is fired until the server has acknowledged BEGIN: from
 * 42.7.9 on the driver's transaction state can be read while a statement runs, and it changes with that very answer. This costs
 * nothing. On 42.7.7 and 42.7.8 it cannot be read; there each transaction begins with a statement that is never cancelled, which
 * costs a round trip per transaction. The control connection looks at what runs, too.
 */
final class PostgresCanceller implements StatementCanceller {
    /** A cancel request takes a connection and a process of the server's, about 1 ms; most statements take less. */
    private static final Duration PATIENCE = Duration.ofMillis(3);

    private static final String QUERY_CANCELED = "57014";
    /** Takes no snapshot, so that the application can still choose the isolation level. */
    private static final String FENCE = "SHOW transaction_isolation";

    private final Pgjdbc pgjdbc;
    private final @Nullable PostgresControl control;
    /** Physical connections, and the processes behind them where they are proven. */
    private final Map<Object, Optional<PostgresProcess>> processes = Collections.synchronizedMap(new WeakHashMap<>());

    /** @param direct null to do without a control connection */
    PostgresCanceller(Pgjdbc pgjdbc, @Nullable DirectConnections direct) {
        this.pgjdbc = pgjdbc;
        this.control = direct == null ? null : new PostgresControl(direct);
    }

    /** Before its first statement each transaction is told what is left of the call's deadline. */
    Limit limit(Borrow borrow) {
        return new PostgresLimit(borrow, pgjdbc);
    }

    @Override
    public Duration patience() {
        return PATIENCE;
    }

    @Override
    public void lent(Connection driver) throws SQLException {
        if (control != null) {
            Object own = pgjdbc.own(driver);
            if (!processes.containsKey(own)) {
                processes.put(own, process(driver));
            }
        }
    }

    private Optional<PostgresProcess> process(Connection driver) {
        try {
            return Optional.ofNullable(PostgresProcess.of(driver, pgjdbc.backendPid(driver)));
        } catch (SQLException e) {
            Log.log(Level.DEBUG, "the process behind a connection cannot be told", e);
            return Optional.empty();
        }
    }

    @Override
    public void beforeStatement(Connection driver) throws SQLException {
        if (pgjdbc.begin == Pgjdbc.Begin.FENCED && pgjdbc.isIdle(driver)) {
            try (Statement fence = driver.createStatement()) {
                fence.execute(FENCE);
            }
        }
    }

    @Override
    public boolean cancel(Connection driver, @Nullable Statement running, boolean autoCommit) throws SQLException {
        if (pgjdbc.begin == Pgjdbc.Begin.VISIBLE && !autoCommit && isNotBegun(driver)) {
            return false;
        }
        return switch (throughControl(driver)) {
            case SENT -> true;
            case NOTHING_RUNS -> false;
            case UNKNOWN -> {
                pgjdbc.cancelQuery(driver);
                yield true;
            }
        };
    }

    private boolean isNotBegun(Connection driver) {
        try {
            return pgjdbc.isIdle(driver);
        } catch (SQLException e) {
            return true; // closed meanwhile: there is nothing to stop
        }
    }

    private ControlRequest.Answer throughControl(Connection driver) throws SQLException {
        Optional<PostgresProcess> process = control == null ? null : processes.get(pgjdbc.own(driver));
        return control == null || process == null || process.isEmpty()
                ? ControlRequest.Answer.UNKNOWN
                : control.cancel(process.get());
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

    /** A signal that was sent is handled by the process before it answers another query. */
    @Override
    public boolean absorb(Connection driver) throws SQLException {
        return DriverCanceller.drawn(driver, this);
    }

    @Override
    public boolean definitionsCommit() {
        return false;
    }

    @Override
    public void letGo() {
        if (control != null) {
            control.letGo();
        }
    }
}
