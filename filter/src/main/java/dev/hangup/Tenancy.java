package dev.hangup;

import dev.hangup.call.CallScope;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the container's request and response are this call's still. A cancel may have ended them under a thread of the
 * application's, which does not know yet: then Tomcat's facades throw, and Jetty's show whatever request their connection has by
 * now, with somebody else's headers and session.
 *
 * <p>Race: a look, and the end. The response is over before the container recycles anything, so who finds it not over after the look
 * has seen what is his. A change of an attribute is under way or never begins.
 *
 * <p>The container's own thread has them a while longer, one that dispatches or one that ends the response: it tells the application's
 * listeners, and unwinds through its dispatchers, which ask what they have wrapped. Nothing is recycled under it.
 */
final class Tenancy {
    private final CallScope call;
    /** Who changes attributes, cancelled or not. */
    private final Turnstile changes = new Turnstile();

    private volatile @Nullable Thread containers;

    Tenancy(CallScope call) {
        this.call = call;
    }

    private boolean lasts() {
        return !call.isResponseOver() || containers == Thread.currentThread();
    }

    /** The container dispatches, on this thread. */
    void dispatched() {
        containers = Thread.currentThread();
    }

    /** On the container's thread, before the response is over. Whoever hangs in a change is waited for no longer than this. */
    void end(Duration patience) {
        dispatched();
        changes.close();
        changes.awaitOthers(patience);
    }

    /** A task of the call begins, on the very thread perhaps that has dispatched it, and has been back since. */
    void begin() {
        if (containers == Thread.currentThread()) {
            containers = null;
        }
    }

    /** A change without I/O, cancelled or not; dropped once the response is over. */
    void change(Runnable change) {
        if (changes.enter()) {
            try {
                change.run();
            } finally {
                changes.leave();
            }
        } else if (containers == Thread.currentThread()) {
            change.run();
        }
    }

    /**
     * What the container says, without I/O; where it says null, null.
     *
     * @throws dev.hangup.call.CallCancelledException if a cancel has ended the response
     * @throws IllegalStateException if it is over without one
     */
    <T> T look(Supplier<T> container) {
        return look(container, () -> {
            call.throwIfCancelled();
            throw new IllegalStateException(call.endpoint() + ": the response is over, and its request with it");
        });
    }

    /** The same; {@code otherwise} where the response is over. */
    @SuppressWarnings("NullAway") // the servlet API is not annotated
    <T> T look(Supplier<T> container, Supplier<T> otherwise) {
        if (lasts()) {
            try {
                T seen = container.get();
                VarHandle.acquireFence();
                if (lasts()) {
                    return seen;
                }
            } catch (RuntimeException e) {
                if (lasts()) {
                    throw e;
                }
            }
        }
        return otherwise.get();
    }
}
