package dev.hangup.jdbc;

import dev.hangup.call.CallScope;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The brackets of {@link Access} that no cancel reaches, and what it throws. */
abstract class Bracket {
    private static final String CLOSED = "this connection is closed: it has gone back to its pool";
    private static final String ROLLED_BACK =
            "the transaction was rolled back and its connection has gone back to its pool";
    /** SQL-92: connection does not exist. */
    private static final String NO_CONNECTION = "08003";

    final Borrow borrow;
    final Connection driver;

    Bracket(Borrow borrow) {
        this.borrow = borrow;
        this.driver = borrow.driver;
    }

    Connection driver() {
        return driver;
    }

    boolean isGone() {
        return borrow.isGone();
    }

    /** The application gets something of the driver's that does not pass the gate. */
    void outside() {
        borrow.outside();
    }

    /** The application changes something that the next borrower would find, unless the pool takes it back. */
    <T> T change(SqlCall<T> call) throws SQLException {
        return use(() -> {
            if (!borrow.pool.resets()) {
                outside();
            }
            return call.call();
        });
    }

    // ---- uses that no cancel reaches

    /** Before a use that stays in memory; pair it with {@link #touched()}. */
    void touch() throws SQLException {
        if (!borrow.enter()) {
            throw givenBack();
        }
    }

    void touched() {
        borrow.exit();
    }

    /** A use that may wait but starts nothing new: allowed when cancelled, too, because frameworks reset what they changed. */
    <T> T use(SqlCall<T> call) throws SQLException {
        return gated(call, false);
    }

    /** A use that leads to new work: refused when cancelled. */
    <T> T open(SqlCall<T> call) throws SQLException {
        return gated(call, true);
    }

    /** Written out, as {@link #end} is, because brackets within brackets would allocate for every statement. */
    private <T> T gated(SqlCall<T> call, boolean leadsToWork) throws SQLException {
        boolean told = false;
        CallScope.enterGuard();
        try {
            touch();
            try {
                if (leadsToWork) {
                    refuseNewWork();
                }
                return call.call();
            } catch (SQLException e) {
                throw translated(e);
            } finally {
                borrow.exit();
            }
        } catch (CallCancelledSQLException e) {
            told = true;
            throw e;
        } finally {
            leaveGuard(told);
        }
    }

    /** The driver's statement. Written out, because it comes before nearly every other use. */
    PreparedStatement prepare(String sql) throws SQLException {
        boolean told = false;
        CallScope.enterGuard();
        try {
            touch();
            try {
                refuseNewWork();
                return driver.prepareStatement(sql);
            } catch (SQLException e) {
                throw translated(e);
            } finally {
                borrow.exit();
            }
        } catch (CallCancelledSQLException e) {
            told = true;
            throw e;
        } finally {
            leaveGuard(told);
        }
    }

    private void refuseNewWork() throws SQLException {
        borrow.disownTo(CallScope.current());
        if (borrow.isCancelled()) {
            throw refused("statement refused");
        }
    }

    /** An ending: quietly nothing if the connection was given back, because that has ended everything. */
    void end(SqlCall.Silent call) throws SQLException {
        boolean told = false;
        CallScope.enterGuard();
        try {
            if (borrow.enter()) {
                try {
                    call.call();
                } catch (SQLException e) {
                    throw translated(e);
                } finally {
                    borrow.exit();
                }
            }
        } catch (CallCancelledSQLException e) {
            told = true;
            throw e;
        } finally {
            leaveGuard(told);
        }
    }

    final boolean insideSilently(SqlCall.Silent call) throws SQLException {
        return inside(() -> {
            call.call();
            return true;
        });
    }

    /** The gate is held; it is opened again. */
    private <T> T inside(SqlCall<T> call) throws SQLException {
        try {
            return call.call();
        } catch (SQLException e) {
            throw translated(e);
        } finally {
            borrow.exit();
        }
    }

    /** Keeps the worker from being interrupted by a cancel meanwhile. */
    static <T> T guarded(SqlCall<T> call) throws SQLException {
        boolean told = false;
        CallScope.enterGuard();
        try {
            return call.call();
        } catch (CallCancelledSQLException e) {
            told = true;
            throw e;
        } finally {
            leaveGuard(told);
        }
    }

    /** @param told whether an exception on its way tells the worker of the cancel; any other may have been thrown a moment before it */
    static void leaveGuard(boolean told) {
        if (told) {
            CallScope.leaveGuard();
        } else {
            CallScope.leaveGuardQuietly();
        }
    }

    // ---- errors

    SQLException translated(SQLException e) {
        return borrow.isCancelled() && !(e instanceof CallCancelledSQLException)
                ? new CallCancelledSQLException(borrow.call, "the statement was stopped", e)
                : e;
    }

    final SQLException vetoed() {
        borrow.open = false;
        return refused("commit refused, rolled back");
    }

    final SQLException givenBack() {
        return borrow.isCancelled() ? refused(ROLLED_BACK) : new SQLException(CLOSED, NO_CONNECTION);
    }

    CallCancelledSQLException refused(String what) {
        return new CallCancelledSQLException(borrow.call, what, null);
    }
}
