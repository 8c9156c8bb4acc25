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
 * whoever sees a phase sees its reason too, and each transition has one winner. ENDED is final.
 *
 * <p>Beside it stands a counter of its own, {@code holds}: the response and each attached worker. The call ends when it
 * reaches zero.
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

    private static final VarHandle WORD;
    private static final VarHandle HOLDS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            WORD = lookup.findVarHandle(CallState.class, "word", int.class);
            HOLDS = lookup.findVarHandle(CallState.class, "holds", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int word;
    /** The response and the first worker. */
    private volatile int holds = 2;

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
}
