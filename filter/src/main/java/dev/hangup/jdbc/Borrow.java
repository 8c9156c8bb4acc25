package dev.hangup.jdbc;

import dev.hangup.call.CallResource;
import dev.hangup.call.CallScope;
import dev.hangup.call.ConnectionEvent;
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
 * <p>A cancelled borrow ends with the first of these: the worker's commit, {@code setAutoCommit(true)}, rollback or close, or the
 * lane, which finds it idle. Whoever it is rolls back and gives the connection back, or has it evicted if its state is not
 * certain. So neither an exception in a {@code finally} nor a worker that is busy elsewhere can keep a connection.
 */
final class Borrow extends Account implements CallResource {
    /** A cancel that took this long may have been given up by the driver without a word, and come later. Shorter than any driver's limit. */
    private static final Duration SLOW_CANCEL = Duration.ofMillis(900);

    /** Whether a cancel may still be on its way to whoever uses the connection next; grows only. */
    private enum Doubt {
        NONE,
        /** One was delivered and not seen to end its statement: a query can draw it out. */
        DELIVERED,
        /** Nobody knows where it is. */
        LOST
    }

    final StatementCanceller canceller;
    private final UnownedSpan span;
    /** What the database is told of the deadline; null if nothing. */
    private final @Nullable Limit limit;

    /** Read by the lane while it pins. */
    private @Nullable Statement running;
    /** Cancels fired at the running statement; written by the lane while it pins. */
    private int fired;
    /** Written by the lane while it pins, and by whoever is inside. */
    private volatile Doubt doubt = Doubt.NONE;

    Borrow(CallScope call, Connection driver, ConnectionPool pool, StatementCanceller canceller) throws SQLException {
        super(call, driver, pool);
        this.canceller = canceller;
        this.span = new UnownedSpan(call);
        this.limit = pool.limit(this);
    }

    @Override
    public Pool pool() {
        return pool;
    }

    UnownedSpan span() {
        return span;
    }

    // ---- on a worker, inside the gate

    /** Before anything is executed. */
    void limit(Work work, @Nullable Statement statement) throws SQLException {
        if (limit != null) {
            limit.before(work, statement);
        }
    }

    /** What the database was told of the deadline may have been taken back. */
    void limitDisturbed() {
        if (limit != null) {
            limit.disturbed();
        }
    }

    /** The next thing to execute is published: from here on a cancel may be fired at it. */
    void running(@Nullable Statement statement) {
        running = statement;
        fired = 0;
        publish();
    }

    /** What {@link #running} began is over; no cancel is in flight afterwards. */
    void ran(Work work, @Nullable Throwable failure) {
        withdraw();
        SQLException error = failure instanceof SQLException known ? known : null;
        boolean timedOut = false;
        if (limit != null) {
            limit.after(work, running);
            timedOut = error != null && limit.mayHaveEnded(error);
        }
        running = null;
        boolean seen = fired == 1 && error != null && !timedOut && canceller.isCancelError(error);
        if (fired > 0 && !seen) {
            atLeast(Doubt.DELIVERED);
        }
        if (timedOut) {
            call.deadlinePassed(); // the database was sooner than the watcher
        }
    }

    boolean isInDoubt() {
        return doubt != Doubt.NONE;
    }

    private void atLeast(Doubt least) {
        if (doubt.compareTo(least) < 0) {
            doubt = least;
        }
    }

    /** Used under another call, or after its own: from now on no cancel concerns it. */
    void disownTo(@Nullable CallScope user) {
        if (user != call && user != null && toDisowned()) {
            call.remove(this);
            pool.release(this);
        }
    }

    /** Inside the gate, on a worker or the lane: the end of this borrow, once. */
    void giveBack() throws SQLException {
        try {
            boolean cancelled = isCancelled();
            if (cancelled && !autoCommit) {
                rollBack();
            }
            boolean clean = !(cancelled && isUnguarded()) && (doubt == Doubt.NONE || absorbed());
            if (!toReturned()) {
                return; // aborted meanwhile: not ours to give back
            }
            if (clean) {
                if (open) {
                    count(TransactionOutcome.ROLLED_BACK);
                }
                driver.close();
            } else {
                evicted();
                pool.evict(driver);
            }
        } finally {
            over();
            call.remove(this);
            pool.release(this);
        }
    }

    private void rollBack() {
        try {
            rollBackTwiceIfHit();
            restoreAutoCommit();
        } catch (SQLException e) {
            atLeast(Doubt.LOST);
            Log.log(Level.DEBUG, "rollback of a cancelled transaction failed; its connection is evicted", e);
        }
    }

    /** A cancel that comes late hits the rollback first. */
    private void rollBackTwiceIfHit() throws SQLException {
        try {
            driver.rollback();
        } catch (SQLException e) {
            if (doubt != Doubt.DELIVERED || !canceller.isCancelError(e)) {
                throw e;
            }
            driver.rollback();
        }
    }

    /** A connection in doubt is evicted while the pool can bear it; then those are cleaned of which that can be known. */
    private boolean absorbed() {
        if (doubt == Doubt.LOST || pool.mayEvict()) {
            return false;
        }
        try {
            boolean drawn = canceller.absorb(driver);
            if (!driver.getAutoCommit()) {
                driver.rollback();
            }
            if (drawn) {
                happened(ConnectionEvent.CLEANED);
            }
            return drawn;
        } catch (SQLException e) {
            Log.log(Level.DEBUG, "a connection could not be cleaned of a late cancel and is evicted", e);
            return false;
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
            pool.lane().execute(new Pursuit(this, pool.lane()));
        }
    }

    @Override
    public void abort() {
        if (isCancelled() && !isGone()) {
            pool.lane().apart(() -> {
                if (!reclaim()) {
                    breakOff();
                }
            });
        }
    }

    @Override
    public void disown() {
        leave();
        pool.release(this);
        if (isCancelled() && !isGone()) {
            // Its worker has left it open. Nobody is cancelled by this: the gate is free, or it fails.
            pool.lane().execute(this::reclaim);
        }
    }

    /** On the lane. Ends the borrow if it is cancelled and nobody is inside; true if it is over. */
    boolean reclaim() {
        if (!isCancelled() || !takeAway()) {
            return isGone();
        }
        happened(ConnectionEvent.RECLAIMED);
        open |= isUnguarded() && !autoCommit;
        if (isUnguarded()) {
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

    /** Fires at the running statement; false if there is none, or if a cancel would do harm now. On the lane. */
    boolean fire() {
        if (!isCancelled() || hasLeft() || !pin()) {
            return false;
        }
        long start = System.nanoTime();
        try {
            if (!canceller.cancel(driver, running, autoCommit)) {
                return false;
            }
            fired++;
            happened(ConnectionEvent.CANCEL_SENT);
            if (System.nanoTime() - start > SLOW_CANCEL.toNanos()) {
                atLeast(Doubt.LOST);
                pool.cancelFailed(null);
            }
        } catch (SQLException | RuntimeException e) {
            fired++;
            atLeast(Doubt.LOST);
            happened(ConnectionEvent.CANCEL_SENT);
            pool.cancelFailed(e);
        } finally {
            unpin();
        }
        return true;
    }

    /** Evicts and aborts the connection, unless it is being given back. May hang in the driver; whoever is inside gets its error. */
    private void breakOff() {
        if (toAborted()) {
            if (isFiring()) {
                pool.cancelFailed(null);
            }
            aborted();
            call.remove(this);
            pool.release(this);
            try {
                pool.breakOff(driver);
            } catch (SQLException e) {
                Log.log(Level.DEBUG, "an evicted connection did not abort", e);
            }
        }
    }
}
