package dev.hangup.jdbc;

import dev.hangup.call.CallResource;
import dev.hangup.call.CallScope;
import dev.hangup.call.Log;
import dev.hangup.call.Pool;
import dev.hangup.call.TransactionOutcome;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One connection in the hands of one call, from {@code getConnection} to its return: how it is cancelled and how it ends. What
 * workers do with it is in {@link Access}, when cancels are fired in {@link Pursuit}; the states are drawn in {@link Gate} and
 * {@link Transaction}.
 *
 * <p>A cancelled borrow ends with the first of these: the worker's commit, {@code setAutoCommit(true)}, rollback or close, or a
 * canceller that finds it idle. Whoever it is rolls back and gives the connection back, or has it evicted if its state is not
 * certain. So neither an exception in a {@code finally} nor a worker that is busy elsewhere can keep a connection.
 */
final class Borrow extends Transaction implements CallResource {
    /** A cancel that took this long may have been given up by the driver without a word, and come later. Shorter than any driver's limit. */
    private static final Duration SLOW_CANCEL = Duration.ofMillis(900);

    final CallScope call;
    final Connection driver;
    final StatementCanceller canceller;
    private final ConnectionPool pool;
    private final UnownedSpan span;

    /** These are read and written inside the gate, by whoever that is. */
    boolean autoCommit;
    /** Whether anything was executed in the transaction; stays when a canceller ends it, until the worker has been told. */
    boolean open;

    /** Read by a canceller while it pins. */
    private @Nullable Statement running;
    /** Cancels fired at the running statement; written by a canceller while it pins. */
    private int fired;

    /** A cancel was fired and not seen to end its statement. */
    private volatile boolean tainted;
    /** The application holds something of the driver's that does not pass our gate, or has changed the session. */
    private volatile boolean unguarded;

    Borrow(CallScope call, Connection driver, ConnectionPool pool, StatementCanceller canceller) throws SQLException {
        this.call = call;
        this.driver = driver;
        this.pool = pool;
        this.canceller = canceller;
        this.autoCommit = driver.getAutoCommit();
        this.span = new UnownedSpan(call);
    }

    @Override
    public Pool pool() {
        return pool;
    }

    UnownedSpan span() {
        return span;
    }

    @Override
    boolean callIsCancelled() {
        return call.isCancelled();
    }

    // ---- on a worker, inside the gate

    /** The next thing to execute is published: from here on a cancel may be fired at it. */
    void running(@Nullable Statement statement) {
        running = statement;
        fired = 0;
        publish();
    }

    /** What {@link #running} began is over; no cancel is in flight afterwards. */
    void ran(@Nullable Throwable failure) {
        withdraw();
        running = null;
        boolean seen = fired == 1 && failure instanceof SQLException error && canceller.isCancelError(error);
        if (fired > 0 && !seen) {
            tainted = true;
        }
    }

    /** After a cancel this connection is not to be given back. */
    void outside() {
        unguarded = true;
    }

    /** Whether there may be something to commit or to roll back. */
    boolean mayBeOpen() {
        return open || unguarded;
    }

    /** The transaction was committed by its worker. */
    void committed() {
        if (mayBeOpen()) {
            countCommit();
        }
        open = false;
    }

    /** The transaction was rolled back by its worker, without a cancel. */
    void rolledBack() {
        if (open) {
            count(TransactionOutcome.ROLLED_BACK);
        }
        open = false;
    }

    /** A statement in autocommit has ended. One that only reads is no transaction, unless a cancel ended it. */
    void endedByItself(Work work, @Nullable Throwable failure) {
        if (failure == null && work.writes()) {
            countCommit();
        } else if (failure != null && (work.writes() || isCancelled()) && !tainted) {
            count(TransactionOutcome.ROLLED_BACK);
        }
    }

    private void countCommit() {
        if (!isDisowned()) {
            count(call.committed() ? TransactionOutcome.TOO_LATE : TransactionOutcome.COMMITTED);
        }
    }

    private void count(TransactionOutcome outcome) {
        if (!isDisowned()) {
            call.runtime().listener().transaction(pool, outcome);
        }
    }

    /** Used under another call, or after its own: from now on no cancel concerns it. */
    void disownTo(@Nullable CallScope user) {
        if (user != call && user != null && toDisowned()) {
            call.remove(this);
            pool.release(this);
        }
    }

    /** Inside the gate, on a worker or a canceller: the end of this borrow, once. */
    void giveBack() throws SQLException {
        try {
            boolean cancelled = isCancelled();
            if (cancelled && !autoCommit) {
                rollBack();
            }
            if (!toReturned()) {
                return; // aborted meanwhile: not ours to give back
            }
            if (tainted || (cancelled && unguarded)) {
                count(TransactionOutcome.EVICTED);
                pool.evict(driver);
            } else {
                if (open) {
                    count(TransactionOutcome.ROLLED_BACK);
                }
                driver.close();
            }
        } finally {
            over();
            call.remove(this);
            pool.release(this);
        }
    }

    private void rollBack() {
        try {
            driver.rollback();
        } catch (SQLException e) {
            tainted = true;
            Log.log(Level.DEBUG, "rollback of a cancelled transaction failed; its connection is evicted", e);
        }
    }

    // ---- when the call is cancelled or ends

    @Override
    public void refuse() {
        toCancelled();
    }

    @Override
    public void cancel() {
        if (!isDisowned()) {
            new Pursuit(this, pool.lane()).run();
        }
    }

    @Override
    public void abort() {
        if (isCancelled() && !isGone() && !reclaim()) {
            breakOff();
        }
    }

    @Override
    public void disown() {
        leave();
        pool.release(this);
        if (isCancelled() && !isGone()) {
            // Its worker has left it open. Nobody is cancelled by this: the gate is free, or it fails.
            call.runtime().canceller().execute(this::reclaim);
        }
    }

    /** On a canceller. Ends the borrow if it is cancelled and nobody is inside; true if it is over. */
    boolean reclaim() {
        if (!isCancelled() || !takeAway()) {
            return isGone();
        }
        open |= unguarded && !autoCommit;
        if (unguarded) {
            // The worker may be using the driver past the gate this very moment: a rollback would wait for it.
            breakOff();
            over();
        } else {
            try {
                giveBack();
            } catch (SQLException e) {
                Log.log(Level.DEBUG, "a reclaimed connection did not close", e);
            }
        }
        return true;
    }

    /** Fires at the running statement; false if there is none, or if a cancel would do harm now. On a canceller. */
    boolean fire() {
        if (!isCancelled() || hasLeft() || !pin()) {
            return false;
        }
        long start = System.nanoTime();
        try {
            if (!canceller.isReady(driver, autoCommit)) {
                return false;
            }
            fired++;
            canceller.cancel(driver, running);
        } catch (SQLException | RuntimeException e) {
            tainted = true;
            pool.cancelFailed(e);
        } finally {
            if (System.nanoTime() - start > SLOW_CANCEL.toNanos()) {
                tainted = true;
                pool.cancelFailed(null);
            }
            unpin();
        }
        return true;
    }

    /** Evicts and aborts the connection, unless it is being given back. On a canceller; whoever is inside gets the driver's error. */
    private void breakOff() {
        if (toAborted()) {
            count(TransactionOutcome.EVICTED);
            call.remove(this);
            pool.release(this);
            try {
                pool.evict(driver);
                driver.abort(Runnable::run);
            } catch (SQLException e) {
                Log.log(Level.DEBUG, "an evicted connection did not abort", e);
            }
        }
    }
}
