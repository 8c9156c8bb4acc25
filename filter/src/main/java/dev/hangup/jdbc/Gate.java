package dev.hangup.jdbc;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Who is inside a borrowed connection. Every use of the driver takes the gate, and a cancel is fired only while a statement
 * stands in it, so that no cancel is in flight when the connection goes on to somebody else.
 *
 * <pre>
 *           enter          publish              withdraw          exit
 *    FREE ---------> BUSY ---------> RUNNING --------------> BUSY -----> FREE      (a worker)
 *     |                |              |   ^
 *     |                |          pin |   | unpin                                  (a canceller)
 *     |                |              v   |
 *     |                |             FIRING
 *     |                +------------------------ over -----------------> GONE      (a worker: the connection was given back)
 *     +-- reclaim --> RECLAIM ------------------ over -----------------> GONE      (a canceller)
 * </pre>
 *
 * BUSY is a use that no cancel reaches: a commit, a rollback, a getter. RUNNING is a statement or a fetch. A worker cannot
 * leave while FIRING; only an aborted connection, which nobody will use again, lets it go at once.
 */
abstract class Gate {
    private static final int FREE = 0;
    private static final int BUSY = 1;
    private static final int RUNNING = 2;
    private static final int FIRING = 3;
    private static final int RECLAIM = 4;
    private static final int GONE = 5;

    private static final long PARK_NANOS = 50_000;

    private static final VarHandle GATE;

    static {
        try {
            GATE = MethodHandles.lookup().findVarHandle(Gate.class, "gate", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int gate;

    /** Whether the connection was aborted: whoever is inside leaves without waiting, and nobody enters again. */
    abstract boolean isAborted();

    /** On a worker. Waits for another thread's use and for a reclaim; false if the connection has been given back. */
    final boolean enter() {
        return GATE.compareAndSet(this, FREE, BUSY) || enterLater();
    }

    private boolean enterLater() {
        for (int spins = 0; gate != GONE; spins++) {
            if (gate == FREE && GATE.compareAndSet(this, FREE, BUSY)) {
                return true;
            }
            pause(spins);
        }
        return false;
    }

    /** Opens the gate again, unless the connection is over. On the worker that is BUSY. */
    final void exit() {
        if (gate == BUSY) {
            GATE.setRelease(this, isAborted() ? GONE : FREE);
        }
    }

    /** From here on a cancel may be fired. A full fence: the worker looks at the transaction's state after it. */
    final void publish() {
        gate = RUNNING;
    }

    /** The statement has ended; waits for a cancel that is being fired at it. Afterwards none is in flight. */
    final void withdraw() {
        for (int spins = 0; !GATE.compareAndSet(this, RUNNING, BUSY); spins++) {
            if (isAborted()) {
                gate = BUSY;
                return;
            }
            pause(spins);
        }
    }

    /** On a canceller: holds the running statement in its place; false if there is none. */
    final boolean pin() {
        return GATE.compareAndSet(this, RUNNING, FIRING);
    }

    /** Fails, rightly, if the connection was aborted meanwhile and the worker has left. */
    final void unpin() {
        GATE.compareAndSet(this, FIRING, RUNNING);
    }

    /** On a canceller: takes an idle connection away from its worker. */
    final boolean takeAway() {
        return GATE.compareAndSet(this, FREE, RECLAIM);
    }

    /** Nobody enters any more. On whoever is inside. */
    final void over() {
        gate = GONE;
    }

    final boolean isGone() {
        return gate == GONE;
    }

    /** Whether the driver is sending a cancel, or hangs in it. */
    final boolean isFiring() {
        return gate == FIRING;
    }

    final boolean isRunning() {
        return gate == RUNNING;
    }

    /** Microseconds for another thread's use of the driver, milliseconds for a cancel or a rollback on its way. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void pause(int spins) {
        if (spins < 100) {
            Thread.onSpinWait();
        } else if (Thread.currentThread().isInterrupted()) {
            Thread.yield(); // a pending interrupt would end every park
        } else {
            LockSupport.parkNanos(PARK_NANOS);
        }
    }
}
