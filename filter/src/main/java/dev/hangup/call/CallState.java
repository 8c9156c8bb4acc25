package dev.hangup.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a call, without what the states mean.
 *
 * <pre>
 *   RUNNING --cancel--> CANCELLING --hooks and interrupts done--> CANCELLED --end--> ENDED
 *   RUNNING --end--> ENDED     CANCELLING --end--> ENDED     RUNNING --detach--> DETACHED --end--> ENDED
 *                                                            DETACHED --cancel(SHUTDOWN)--> CANCELLING
 * </pre>
 *
 * One word holds the phase and, in higher bits that never fall, the reason of the cancel and whether it was ever detached: so
 * whoever sees a phase sees its reason too, and each transition has one winner.
 *
 * <p>Beside it stand two counters of their own: {@code holds} (the response and each attached worker; the call ends when it
 * reaches zero) and the peer lock (whoever looks at request, response or channel from another thread holds it, and the end of
 * the response closes it for good).
 */
abstract class CallState {
    static final int RUNNING = 0;
    static final int CANCELLING = 1;
    static final int CANCELLED = 2;
    static final int DETACHED = 3;
    static final int ENDED = 4;

    private static final int PHASE = 0x7;
    private static final int WAS_DETACHED = 0x8;
    private static final int REASON_SHIFT = 8;

    private static final int OPEN = 0;
    private static final int LOOKING = 1;
    private static final int SHUT = 2;

    private static final VarHandle WORD;
    private static final VarHandle HOLDS;
    private static final VarHandle PEER_LOCK;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(CallState.class, "word", int.class);
            HOLDS = lookup.findVarHandle(CallState.class, "holds", int.class);
            PEER_LOCK = lookup.findVarHandle(CallState.class, "peerLock", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int word;
    /** The response and the first worker. */
    private volatile int holds = 2;

    private volatile int peerLock;
    /** Written by the thread that holds the peer lock; read by others only to compare with themselves. */
    private volatile @Nullable Thread looker;

    final int phase() {
        return word & PHASE;
    }

    final @Nullable CancelReason reason() {
        int ordinal = (word >>> REASON_SHIFT) - 1;
        return ordinal < 0 ? null : CancelReason.of(ordinal);
    }

    final boolean wasDetached() {
        return (word & WAS_DETACHED) != 0;
    }

    /** RUNNING to CANCELLING, or DETACHED to CANCELLING at shutdown; one winner. */
    @SuppressWarnings("EnumOrdinal") // packed for the life of this process only
    final boolean toCancelling(CancelReason reason) {
        for (; ; ) {
            int seen = word;
            int from = seen & PHASE;
            if (from != RUNNING && !(from == DETACHED && reason == CancelReason.SHUTDOWN)) {
                return false;
            }
            int to = (seen & ~PHASE) | CANCELLING | (reason.ordinal() + 1) << REASON_SHIFT;
            if (WORD.compareAndSet(this, seen, to)) {
                return true;
            }
        }
    }

    /** CANCELLING to CANCELLED; nothing if the call ended meanwhile. */
    final void toCancelled() {
        int seen = word;
        if ((seen & PHASE) == CANCELLING) {
            WORD.compareAndSet(this, seen, (seen & ~PHASE) | CANCELLED);
        }
    }

    /** RUNNING to DETACHED; false if it was not running. */
    final boolean toDetached() {
        int seen = word;
        return (seen & PHASE) == RUNNING && WORD.compareAndSet(this, seen, seen | DETACHED | WAS_DETACHED);
    }

    /** Any phase to ENDED. Called by the one thread that gave up the last hold. */
    final void toEnded() {
        for (; ; ) {
            int seen = word;
            if (WORD.compareAndSet(this, seen, (seen & ~PHASE) | ENDED)) {
                return;
            }
        }
    }

    /** One more worker; false if the call is over, or about to end on another thread. */
    final boolean hold() {
        for (; ; ) {
            int seen = holds;
            if (seen == 0) {
                return false;
            }
            if (HOLDS.compareAndSet(this, seen, seen + 1)) {
                return true;
            }
        }
    }

    /** True for the one thread that gave up the last hold. */
    final boolean release() {
        return (int) HOLDS.getAndAdd(this, -1) == 1;
    }

    final int holds() {
        return holds;
    }

    final boolean peerShut() {
        return peerLock == SHUT;
    }

    /** False if the response is over, or if another thread is looking just now. */
    final boolean tryLook() {
        if (peerLock == OPEN && PEER_LOCK.compareAndSet(this, OPEN, LOOKING)) {
            looker = Thread.currentThread();
            return true;
        }
        return false;
    }

    /** As {@link #tryLook}, but waits for another thread's look to end. */
    final boolean look() {
        for (int spins = 0; !tryLook(); spins++) {
            if (peerLock == SHUT) {
                return false;
            }
            pause(spins);
        }
        return true;
    }

    final void lookDone() {
        looker = null;
        // Fails when this very thread ended the response while it looked; then it stays shut.
        PEER_LOCK.compareAndSet(this, LOOKING, OPEN);
    }

    /**
     * Closes the peer lock for good; true for the one call that did. Waits for a look in progress, unless it is this thread's
     * own (a container may run its completion listeners inside the call by which we complete an asynchronous response).
     */
    final boolean shut() {
        for (int spins = 0; ; spins++) {
            int seen = peerLock;
            if (seen == SHUT) {
                return false;
            }
            if (seen == OPEN || looker == Thread.currentThread()) {
                if (PEER_LOCK.compareAndSet(this, seen, SHUT)) {
                    return true;
                }
            } else {
                pause(spins);
            }
        }
    }

    /** A look takes microseconds; yielding, not parking, because a pending interrupt would end every park. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void pause(int spins) {
        if (spins < 100) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }
}
