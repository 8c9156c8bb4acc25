package dev.hangup.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ForkJoinWorkerThread;
import org.jspecify.annotations.Nullable;

/**
 * A thread attached to a call, and the handshake by which it is interrupted without leaking the interrupt.
 *
 * <pre>
 *   FREE --deliver--> DELIVERING --done--> FREE             (cancellers)
 *   FREE --enterGuard--> GUARDED --leaveGuard--> FREE       (the worker; clears our interrupt on the way in)
 *   FREE, GUARDED --leave--> LEFT                           (the worker; clears our interrupt on the way)
 * </pre>
 *
 * Only a canceller moves the state into and out of DELIVERING, and the worker waits while it stands there: so no interrupt
 * of ours can land after {@code leave} or inside a guard.
 *
 * <p>The interrupt flag has no owner, so what is ours is decided at delivery: a flag that is already set then is somebody
 * else's, is left alone and is still there after us. Once we have interrupted a worker, every flag found on it later is taken
 * for ours and cleared: work that answers an {@code InterruptedException} commonly sets the flag again, and that must not reach
 * the thread's next request. So a foreign interrupt that comes after ours is lost; it cannot be told apart.
 */
final class Worker {
    /** The innermost attachment of a thread. Set to null, not removed, on leaving: the value is what would hold memory, the entry is reused. */
    static final ThreadLocal<@Nullable Worker> CURRENT = new ThreadLocal<>();

    private static final int FREE = 0;
    private static final int DELIVERING = 1;
    private static final int GUARDED = 2;
    private static final int LEFT = 3;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Worker.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final CallScope call;
    /**
     * Null once it has left. A call is held by timers for a while after its end, a virtual thread that has ended holds what it ran,
     * and so the container's request and its buffers. Written by the worker; deliveries read it in a state that {@link #leave} waits for.
     */
    private @Nullable Thread thread;

    /** What this thread worked for before; that call's worker is guarded meanwhile. */
    final @Nullable Worker outer;
    /** Whether the call waits for this worker; false for a task that outlived its call. */
    final boolean holds;
    /** Never interrupted: while a fork-join worker waits for a task, it may be running somebody else's. */
    private final boolean flagOnly;

    private volatile int state;
    /** Written in DELIVERING; read by the worker after a state that followed it. */
    private boolean interrupted;
    /** Nesting of guards, and of attachments to the same call; both written by the worker alone. */
    private int guards;

    int attachments = 1;

    /** Inside {@code Call.shield}. Written by the worker, read by the report of stuck work. */
    private volatile boolean shielded;

    Worker(CallScope call, @Nullable Worker outer, boolean holds) {
        this.call = call;
        this.thread = Thread.currentThread();
        this.outer = outer;
        this.holds = holds;
        this.flagOnly = thread instanceof ForkJoinWorkerThread;
    }

    /** Interrupts the thread unless it is guarded or has left. On cancellers, or on the worker itself outside its guards. */
    void deliver() {
        if (flagOnly || !STATE.compareAndSet(this, FREE, DELIVERING)) {
            return; // guarded: raised on leaving; delivering: the other canceller does it; left: too late, rightly
        }
        try {
            Thread attached = thread;
            if (attached != null && !attached.isInterrupted()) {
                interrupted = true;
                attached.interrupt(); // runs the code of whatever channel the thread is blocked in, which may throw
            }
        } finally {
            state = FREE; // whatever happened, or the worker would wait for ever
        }
    }

    /** On the worker. */
    void enterGuard() {
        if (guards++ == 0) {
            move(GUARDED);
        }
    }

    /** On the worker. True if the outermost guard was left while the call stands cancelled and may interrupt: raise it. */
    boolean leaveGuard() {
        if (guards == 0) {
            throw new IllegalStateException("a guard was left that this thread has not entered for " + call);
        }
        if (--guards > 0) {
            return false;
        }
        // Publish FREE, then look: a canceller marks the call, then looks at this state. One of the two sees the other.
        state = FREE;
        return call.interruptible() && call.isCancelled();
    }

    /** On the worker. True for the outermost shield, to be told to {@link #leaveShield}. */
    boolean enterShield() {
        boolean outermost = !shielded;
        shielded = true;
        enterGuard();
        return outermost;
    }

    /** As {@link #leaveGuard}. */
    boolean leaveShield(boolean outermost) {
        shielded = !outermost;
        return leaveGuard();
    }

    boolean isShielded() {
        return shielded;
    }

    boolean hasLeft() {
        return state == LEFT;
    }

    /** On the worker, once. After this no interrupt of ours reaches the thread, and none of ours is pending. */
    void leave() {
        move(LEFT);
        thread = null;
    }

    /** Empty once it has left. */
    StackTraceElement[] stack() {
        Thread attached = thread;
        return attached == null ? new StackTraceElement[0] : attached.getStackTrace();
    }

    private void move(int to) {
        for (int spins = 0; ; spins++) {
            int seen = state;
            if (seen == DELIVERING) {
                await(spins);
            } else if (STATE.compareAndSet(this, seen, to)) {
                if (interrupted) {
                    // Ours, answered and set again, or still unanswered; or answered, and then this does nothing.
                    Thread.interrupted();
                }
                return;
            }
        }
    }

    /** An interrupt is being delivered: microseconds. Not parked, because the interrupt itself would end every park. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void await(int spins) {
        if (spins < 100) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }
}
