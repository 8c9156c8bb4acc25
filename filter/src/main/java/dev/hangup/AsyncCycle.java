package dev.hangup;

import jakarta.servlet.AsyncContext;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Who ends an asynchronous cycle: the application, the container (its timeout, an error), or a cancel; one of them.
 *
 * <pre>
 *   NONE or LEFT --begin--> the context --end--> NONE   (application: complete, dispatch)
 *   NONE --completed--> LEFT                            (application: the container has taken its completion)
 *                       the context --release--> LEFT   (container)
 *                       the context --claim--> OURS     (cancel; for good)
 * </pre>
 */
final class AsyncCycle {
    private static final Object NONE = new Object();
    /** The container is to say that the response is over. */
    private static final Object LEFT = new Object();

    private static final Object OURS = new Object();

    private static final AtomicReferenceFieldUpdater<AsyncCycle, Object> OWNER =
            AtomicReferenceFieldUpdater.newUpdater(AsyncCycle.class, Object.class, "owner");

    private volatile Object owner = NONE;

    void begin(AsyncContext context) {
        OWNER.updateAndGet(this, seen -> seen == NONE || seen == LEFT ? context : seen);
    }

    /** The application ends the cycle by {@code action}; if the container refuses that, all is as before. */
    void end(AsyncContext context, Runnable action) {
        Object before = OWNER.compareAndSet(this, context, NONE) ? context : NONE;
        if (before == NONE && isOurs()) {
            return; // it does not know yet
        }
        if (before == NONE && OWNER.compareAndSet(this, LEFT, NONE)) {
            before = LEFT; // a listener of the container's timeout dispatches
        }
        boolean ended = false;
        try {
            action.run(); // a second end, too: the container says what it thinks of it
            ended = true;
        } finally {
            if (!ended) {
                OWNER.compareAndSet(this, NONE, before);
            }
        }
    }

    /** The application's {@link #end} was a completion: the container is about to say so. */
    void completed() {
        OWNER.compareAndSet(this, NONE, LEFT);
    }

    boolean isLeft() {
        return owner == LEFT;
    }

    /** The container ends the cycle. False if a cancel has been first. */
    boolean release() {
        return OWNER.updateAndGet(this, seen -> seen == OURS ? OURS : LEFT) == LEFT;
    }

    /** A cancel ends the cycle: the context that is to be completed, or null if there is none or if somebody else ends it. */
    @Nullable
    AsyncContext claim() {
        return owner instanceof AsyncContext context && OWNER.compareAndSet(this, context, OURS) ? context : null;
    }

    boolean isOpen() {
        return owner instanceof AsyncContext;
    }

    boolean isOurs() {
        return owner == OURS;
    }
}
