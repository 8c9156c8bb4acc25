package dev.hangup;

import jakarta.servlet.AsyncContext;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Who ends an asynchronous cycle: the application, the container (its timeout, an error), or a cancel; one of them.
 *
 * <pre>
 *   NONE --begin--> the context --end--> NONE       (application: complete, dispatch)
 *   NONE --completed--> COMPLETED                   (application: the container has taken its completion)
 *                   the context --release--> NONE   (container)
 *                   the context --claim--> OURS     (cancel; for good)
 * </pre>
 */
final class AsyncCycle {
    private static final Object NONE = new Object();
    private static final Object COMPLETED = new Object();
    private static final Object OURS = new Object();

    private static final AtomicReferenceFieldUpdater<AsyncCycle, Object> OWNER =
            AtomicReferenceFieldUpdater.newUpdater(AsyncCycle.class, Object.class, "owner");

    private volatile Object owner = NONE;

    void begin(AsyncContext context) {
        OWNER.compareAndSet(this, NONE, context);
    }

    /** The application ends the cycle by {@code action}. If the container refuses that, the cycle goes on and is true returned to nobody. */
    void end(AsyncContext context, Runnable action) {
        boolean first = OWNER.compareAndSet(this, context, NONE);
        if (!first && isOurs()) {
            return; // it does not know yet
        }
        boolean ended = false;
        try {
            action.run(); // a second end, too: the container says what it thinks of it
            ended = true;
        } finally {
            if (first && !ended) {
                OWNER.compareAndSet(this, NONE, context);
            }
        }
    }

    /** The application's {@link #end} was a completion: the container is about to say so. */
    void completed() {
        OWNER.compareAndSet(this, NONE, COMPLETED);
    }

    boolean isCompleted() {
        return owner == COMPLETED;
    }

    /** The container ends the cycle. False if a cancel has been first. */
    boolean release() {
        return OWNER.updateAndGet(this, seen -> seen == OURS ? OURS : NONE) == NONE;
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
