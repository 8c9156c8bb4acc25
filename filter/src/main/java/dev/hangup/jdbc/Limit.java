package dev.hangup.jdbc;

import dev.hangup.call.CallScope;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * What the database itself is told of a call's deadline, one per borrow. Used inside the gate, on the worker, where no cancel
 * reaches it. In milliseconds or seconds, as the database has it; {@link #NONE} is no limit, as databases write it, too.
 */
abstract class Limit {
    static final long NONE = 0;

    private static final long MILLISECOND = 1_000_000;

    final Account borrow;

    Limit(Account borrow) {
        this.borrow = borrow;
    }

    /** Before a statement; may talk to the database. */
    abstract void before(Work work, @Nullable Statement statement) throws SQLException;

    /** After it, whatever became of it. */
    abstract void after(Work work, @Nullable Statement statement);

    /** Something besides statements may have changed what is in force. */
    void disturbed() {}

    /** Whether this is how a statement ends that has come to its limit, be it ours or the application's. */
    abstract boolean isTimeout(SQLException error);

    /** Whether the database may have ended a statement for us, so that no cancel has. */
    final boolean mayHaveEnded(SQLException error) {
        return concerns() && left() <= 0 && isTimeout(error);
    }

    /** What the deadline leaves, at least a millisecond, and never less than it does; NONE where its passing would stop nothing. */
    final long millisLeft() {
        return concerns() ? Math.max(0, left()) / MILLISECOND + 1 : NONE;
    }

    private long left() {
        return borrow.call.deadlineAt() - System.nanoTime();
    }

    /** As the deadline's own passing asks. */
    private boolean concerns() {
        CallScope call = borrow.call;
        return call.treatment().cancels()
                && !borrow.isDisowned()
                && !call.isDetached()
                && !call.isSpared()
                && !call.isResponseOver()
                && call.runtime().actsOnDeadlines();
    }

    /** The shorter of two limits. */
    static long shorter(long a, long b) {
        return a == NONE ? b : b == NONE ? a : Math.min(a, b);
    }
}
