package dev.hangup.jdbc;

import dev.hangup.call.CallScope;
import dev.hangup.call.ConnectionEvent;
import dev.hangup.call.TransactionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What happened on a borrowed connection so far: what there is to commit or to roll back, and how each transaction is counted. */
abstract class Account extends Transaction {
    final CallScope call;
    final Connection driver;
    final ConnectionPool pool;

    private final boolean lentInAutoCommit;

    /** These are read and written inside the gate, by whoever that is. */
    boolean autoCommit;
    /** Whether anything was executed in the transaction; stays when a canceller ends it, until the worker has been told. */
    boolean open;

    /** Whether a statement in autocommit was left in doubt, and is counted with its connection. */
    private boolean uncounted;

    /** The application holds something of the driver's that does not pass our gate, or has changed the session. */
    private volatile boolean unguarded;

    Account(CallScope call, Connection driver, ConnectionPool pool) throws SQLException {
        this.call = call;
        this.driver = driver;
        this.pool = pool;
        this.lentInAutoCommit = driver.getAutoCommit();
        this.autoCommit = lentInAutoCommit;
    }

    @Override
    boolean callIsCancelled() {
        return call.isCancelled();
    }

    /** Not every pool does, and the worker, which would have, may find its connection gone. Nothing is open now. */
    final void restoreAutoCommit() throws SQLException {
        if (autoCommit != lentInAutoCommit) {
            driver.setAutoCommit(lentInAutoCommit);
        }
    }

    /** After a cancel this connection is not to be given back. */
    final void outside() {
        unguarded = true;
    }

    final boolean isUnguarded() {
        return unguarded;
    }

    /** Whether there may be something to commit or to roll back. */
    final boolean mayBeOpen() {
        return open || unguarded;
    }

    /** The transaction was committed by its worker. */
    final void committed() {
        if (mayBeOpen()) {
            countCommit();
        }
        open = false;
    }

    /** The transaction was rolled back by its worker, without a cancel. */
    final void rolledBack() {
        if (open) {
            count(TransactionOutcome.ROLLED_BACK);
        }
        open = false;
    }

    /**
     * A statement in autocommit has ended. One that only reads is no transaction, unless a cancel ended it.
     *
     * @param inDoubt whether what it did is unknown; its connection is counted when it goes
     */
    final void endedByItself(Work work, @Nullable Throwable failure, boolean inDoubt) {
        if (failure == null && work.writes()) {
            countCommit();
        } else if (failure != null && (work.writes() || isCancelled())) {
            uncounted |= inDoubt;
            if (!inDoubt) {
                count(TransactionOutcome.ROLLED_BACK);
            }
        }
    }

    /** The connection goes, and with it what was not counted. */
    final void evicted() {
        happened(ConnectionEvent.EVICTED);
        if (uncounted || (!autoCommit && mayBeOpen())) {
            count(TransactionOutcome.EVICTED);
        }
    }

    /** The connection was broken: whatever ran on it is counted with it, and never again by whoever stood inside. */
    final void aborted() {
        happened(ConnectionEvent.EVICTED);
        if (!isDisowned()) {
            call.runtime().listener().transaction(pool, TransactionOutcome.EVICTED);
        }
    }

    private void countCommit() {
        if (!isDisowned()) {
            count(call.committed() ? TransactionOutcome.TOO_LATE : TransactionOutcome.COMMITTED);
        }
    }

    final void happened(ConnectionEvent event) {
        call.runtime().listener().connection(pool, event);
    }

    final void count(TransactionOutcome outcome) {
        if (!isDisowned() && !isAborted()) {
            call.runtime().listener().transaction(pool, outcome);
        }
    }
}
