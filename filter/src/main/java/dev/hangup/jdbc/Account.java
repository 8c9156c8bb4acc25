package dev.hangup.jdbc;

import dev.hangup.call.CallScope;
import dev.hangup.call.TransactionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What happened on a borrowed connection so far: what there is to commit or to roll back, and how each transaction is counted. */
abstract class Account extends Transaction {
    final CallScope call;
    final Connection driver;
    final ConnectionPool pool;

    /** These are read and written inside the gate, by whoever that is. */
    boolean autoCommit;
    /** Whether anything was executed in the transaction; stays when a canceller ends it, until the worker has been told. */
    boolean open;

    /** The application holds something of the driver's that does not pass our gate, or has changed the session. */
    private volatile boolean unguarded;

    Account(CallScope call, Connection driver, ConnectionPool pool) throws SQLException {
        this.call = call;
        this.driver = driver;
        this.pool = pool;
        this.autoCommit = driver.getAutoCommit();
    }

    @Override
    boolean callIsCancelled() {
        return call.isCancelled();
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
        } else if (failure != null && (work.writes() || isCancelled()) && !inDoubt) {
            count(TransactionOutcome.ROLLED_BACK);
        }
    }

    private void countCommit() {
        if (!isDisowned()) {
            count(call.committed() ? TransactionOutcome.TOO_LATE : TransactionOutcome.COMMITTED);
        }
    }

    final void count(TransactionOutcome outcome) {
        if (!isDisowned()) {
            call.runtime().listener().transaction(pool, outcome);
        }
    }
}
