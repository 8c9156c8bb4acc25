package dev.hangup.call;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The lock that keeps others off a call's request, response and connection once the response is over.
 *
 * <pre>
 *   OPEN --look--> LOOKING --lookDone--> OPEN      (watcher, cancellers)
 *   OPEN --shut--> SHUT                            (whoever ends the response, once)
 *   LOOKING --shut, by the looking thread itself--> SHUT
 * </pre>
 *
 * Whoever looks from another thread holds the lock, and the end of the response closes it for good: so no look touches a
 * request that the container has recycled.
 */
abstract class PeerLock extends CallState {
    private static final int OPEN = 0;
    private static final int LOOKING = 1;
    private static final int SHUT = 2;

    private static final VarHandle PEER_LOCK;

    static {
        try {
            PEER_LOCK = MethodHandles.lookup().findVarHandle(PeerLock.class, "peerLock", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int peerLock;
    /** Written by the thread that holds the lock; read by others only to compare with themselves. */
    private volatile @Nullable Thread looker;

    /** Whether the response is over, though workers may go on. */
    public final boolean isResponseOver() {
        return peerLock == SHUT;
    }

    /** Whether this thread holds the lock. */
    final boolean isLooking() {
        return looker == Thread.currentThread();
    }

    /** Takes the lock; false if the response is over, or if another thread is looking just now. */
    final boolean tryLook() {
        if (peerLock == OPEN && PEER_LOCK.compareAndSet(this, OPEN, LOOKING)) {
            looker = Thread.currentThread();
            return true;
        }
        return false;
    }

    /** As {@link #tryLook()}, but waits for another thread's look to end. */
    final boolean look() {
        for (int spins = 0; !tryLook(); spins++) {
            if (peerLock == SHUT) {
                return false;
            }
            if (isLooking()) {
                throw new IllegalStateException("a look within a look would wait for itself");
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
     * Closes the lock for good; true for the one call that did. Waits for a look in progress, unless it is this thread's
     * own (a container may run its listeners inside the call by which we break the connection).
     */
    final boolean shut() {
        for (int spins = 0; ; spins++) {
            int seen = peerLock;
            if (seen == SHUT) {
                return false;
            }
            if (seen == OPEN || isLooking()) {
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
