package dev.hangup.jdbc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whether a borrowed connection may still commit, and what becomes of it.
 *
 * <pre>
 *    ACTIVE --startCommit--> COMMITTING --endCommit--> ACTIVE      (a worker, inside the gate)
 *    ACTIVE --refuse--> CANCELLED                                  (whoever cancels the call)
 *    ACTIVE --disown--> DISOWNED                                   (whoever ends the call, or uses the connection for another)
 * </pre>
 *
 * CANCELLED and DISOWNED are terminal. COMMITTING is never cancelled and never aborted; the worker looks at the call again
 * when it is over, because a cancel that came meanwhile has passed by. A second word says who disposes of the connection:
 * OPEN to RETURNED (whoever gives it back to the pool) or OPEN to ABORTED (a canceller that breaks it), one winner.
 */
abstract class Transaction extends Gate {
    private static final int ACTIVE = 0;
    private static final int COMMITTING = 1;
    private static final int CANCELLED = 2;
    private static final int DISOWNED = 3;

    private static final int OPEN = 0;
    private static final int RETURNED = 1;
    private static final int ABORTED = 2;

    private static final VarHandle STATE;
    private static final VarHandle FATE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(Transaction.class, "state", int.class);
            FATE = lookup.findVarHandle(Transaction.class, "fate", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int state;
    private volatile int fate;
    /** Written by whoever ends the call, before it looks at the state. */
    private volatile boolean left;

    /**
     * True if this thread may commit now; otherwise it is cancelled or disowned. Race: a call shows its cancel an instant before
     * this hears of it, and who has seen the one must not be able to commit.
     */
    final boolean startCommit() {
        boolean started = STATE.compareAndSet(this, ACTIVE, COMMITTING);
        if (started && callIsCancelled()) {
            endCommit();
            return false;
        }
        return started;
    }

    /** The commit has succeeded or failed. Publishes ACTIVE, then looks: whoever cancelled or left meanwhile saw COMMITTING. */
    final void endCommit() {
        state = ACTIVE;
        if (left) {
            toDisowned();
        }
        if (callIsCancelled()) {
            toCancelled();
        }
    }

    abstract boolean callIsCancelled();

    /** ACTIVE to CANCELLED; nothing otherwise. */
    final void toCancelled() {
        STATE.compareAndSet(this, ACTIVE, CANCELLED);
    }

    final boolean toDisowned() {
        return STATE.compareAndSet(this, ACTIVE, DISOWNED);
    }

    /** The call has ended: nothing may be cancelled for it any more. */
    final void leave() {
        left = true;
        toDisowned();
    }

    final boolean isCancelled() {
        return state == CANCELLED;
    }

    final boolean isDisowned() {
        return state == DISOWNED;
    }

    final boolean hasLeft() {
        return left;
    }

    final boolean toReturned() {
        return FATE.compareAndSet(this, OPEN, RETURNED);
    }

    final boolean toAborted() {
        return FATE.compareAndSet(this, OPEN, ABORTED);
    }

    @Override
    final boolean isAborted() {
        return fate == ABORTED;
    }
}
