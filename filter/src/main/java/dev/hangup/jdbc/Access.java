package dev.hangup.jdbc;

import dev.hangup.call.CallScope;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The worker's side of a {@link Borrow}: every use of the driver goes through one of these brackets. Those that may wait for
 * the database also guard the worker, so that a cancel never interrupts it there; it learns of the cancel as a
 * {@link CallCancelledSQLException} instead, or, where the use has succeeded all the same, as an interrupt afterwards.
 */
final class Access extends Bracket {
    /** What the application has; written once, by the thread that borrows. */
    private @Nullable GuardedConnection connection;

    Access(Borrow borrow) {
        super(borrow);
    }

    void handOut(GuardedConnection connection) {
        this.connection = connection;
    }

    GuardedConnection connection() {
        return Objects.requireNonNull(connection);
    }

    // ---- statements

    /** A statement or a fetch, which a cancel may stop. Written out, as {@link #end} is: it comes for each row. */
    <T> T run(Work work, @Nullable Statement statement, SqlCall<T> call) throws SQLException {
        if (work == Work.COMMIT) {
            return commit(call);
        }
        if (work == Work.DEFINE && !borrow.autoCommit && borrow.canceller.definitionsCommit()) {
            return commit(() -> {
                outside();
                return call.call();
            });
        }
        boolean told = false;
        CallScope.enterGuard();
        try {
            return running(work, statement, call);
        } catch (CallCancelledSQLException e) {
            told = true;
            throw e;
        } finally {
            leaveGuard(told);
        }
    }

    private <T> T running(Work work, @Nullable Statement statement, SqlCall<T> call) throws SQLException {
        boolean ownTransaction = begin(work, statement);
        T result;
        try {
            result = call.call();
        } catch (SQLException e) {
            ended(work, e);
            throw translated(e);
        } catch (RuntimeException | Error e) {
            ended(work, e);
            throw e;
        }
        ended(work, null);
        if (borrow.isCancelled() && !ownTransaction) {
            throw refused("statement stopped");
        }
        return result;
    }

    /** Enters the gate. True if the statement commits by itself, so that its success is not to be hidden. */
    private boolean begin(Work work, @Nullable Statement statement) throws SQLException {
        touch();
        boolean began = false;
        try {
            borrow.disownTo(CallScope.current());
            if (!borrow.isCancelled()) {
                if (!borrow.autoCommit) {
                    borrow.canceller.beforeStatement(driver);
                    borrow.open = true;
                }
                if (work == Work.SESSION || work == Work.DEFINE) {
                    borrow.outside();
                }
                borrow.limit(work, statement);
                borrow.running(statement);
                // Published, then looked: whoever cancels sees the statement, or is seen here.
                began = !borrow.isCancelled();
                if (!began) {
                    borrow.ran(work, null);
                }
            }
            if (!began) {
                throw refused("statement refused");
            }
            return borrow.autoCommit && work.writes();
        } catch (SQLException e) {
            throw translated(e);
        } finally {
            if (!began) {
                borrow.exit();
            }
        }
    }

    private void ended(Work work, @Nullable Throwable failure) {
        borrow.ran(work, failure);
        if (borrow.autoCommit && work != Work.FETCH) {
            borrow.endedByItself(work, failure, borrow.isInDoubt());
        }
        borrow.exit();
    }

    // ---- transactions

    /** Vetoed when cancelled: rolls back, gives the connection back, then throws. */
    <T> T commit(SqlCall<T> call) throws SQLException {
        return use(() -> committing(call));
    }

    private <T> T committing(SqlCall<T> call) throws SQLException {
        borrow.disownTo(CallScope.current());
        boolean started = borrow.startCommit();
        if (borrow.isCancelled()) {
            borrow.giveBack();
            throw vetoed();
        }
        try {
            T result = call.call();
            borrow.committed();
            return result;
        } finally {
            borrow.limitDisturbed(); // COMMIT AND CHAIN
            if (started) {
                borrow.endCommit();
            }
        }
    }

    /** Switching it on is a commit by JDBC's definition and vetoed as one, but quietly if there is nothing to commit. */
    void setAutoCommit(boolean on) throws SQLException {
        guarded(() -> {
            if (borrow.enter()) {
                return insideSilently(() -> switchAutoCommit(on));
            }
            if (!borrow.isCancelled()) {
                throw givenBack();
            }
            if (on && borrow.open) {
                throw vetoed(); // taken back with work in it, of which the worker must not believe that it was
                // committed
            }
            return false;
        });
    }

    private void switchAutoCommit(boolean on) throws SQLException {
        if (driver.getAutoCommit() == on) {
            return;
        }
        if (on && borrow.isCancelled() && !borrow.mayBeOpen()) {
            borrow.giveBack();
        } else if (on) {
            committing(() -> {
                driver.setAutoCommit(true);
                borrow.autoCommit = true;
                return true;
            });
        } else if (borrow.isCancelled()) {
            throw refused("transaction refused");
        } else {
            driver.setAutoCommit(false);
            borrow.autoCommit = false;
        }
    }

    /** Quietly nothing if the connection was taken back from a cancelled call, because that has rolled it back. */
    void rollback() throws SQLException {
        guarded(() -> {
            if (borrow.enter()) {
                return insideSilently(this::rollingBack);
            }
            if (!borrow.isCancelled()) {
                throw givenBack();
            }
            borrow.open = false;
            return false;
        });
    }

    private void rollingBack() throws SQLException {
        if (borrow.isCancelled()) {
            borrow.giveBack();
            borrow.open = false;
        } else {
            driver.rollback();
            borrow.rolledBack();
        }
    }

    /** {@code Connection.close}. */
    void close() throws SQLException {
        end(borrow::giveBack);
    }
}
