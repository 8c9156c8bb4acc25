package dev.hangup;

import dev.hangup.call.CallScope;
import jakarta.servlet.AsyncEvent;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the container's request and response are this call's still. A cancel may have ended them under a thread of the
 * application's, which does not know yet: then Tomcat's facades throw, and Jetty's show whatever request their connection has by
 * now, with somebody else's headers and session.
 *
 * <p>Race: a look, and the end. The response is over before the container recycles anything, so who finds it not over after the look
 * has seen what is his.
 */
final class Tenancy {
    /** The call whose application is being told on this thread that its response is complete. */
    private static final ThreadLocal<@Nullable CallScope> TOLD = new ThreadLocal<>();

    private Tenancy() {}

    /** Until its listeners have been told that the response is complete. */
    static boolean lasts(CallScope call) {
        return !call.isResponseOver() || TOLD.get() == call;
    }

    /** Whether the container's listeners are told of the call's end on this thread just now, and so nothing is recycled. */
    static boolean isTold(CallScope call) {
        return TOLD.get() == call;
    }

    interface Telling {
        void tell(AsyncEvent event) throws IOException;
    }

    /** On the container's thread, which recycles afterwards. */
    static void tell(CallScope call, Telling listener, AsyncEvent event) throws IOException {
        TOLD.set(call);
        try {
            listener.tell(event);
        } finally {
            TOLD.remove();
        }
    }

    /**
     * What the container says, without I/O; where it says null, null.
     *
     * @throws dev.hangup.call.CallCancelledException if a cancel has ended the response
     * @throws IllegalStateException if it is over without one
     */
    static <T> T look(CallScope call, Supplier<T> container) {
        return look(call, container, () -> {
            call.throwIfCancelled();
            throw new IllegalStateException(call.endpoint() + ": the response is over, and its request with it");
        });
    }

    /** The same; {@code otherwise} where the response is over. */
    @SuppressWarnings("NullAway") // the servlet API is not annotated
    static <T> T look(CallScope call, Supplier<T> container, Supplier<T> otherwise) {
        if (lasts(call)) {
            try {
                T seen = container.get();
                VarHandle.acquireFence();
                if (lasts(call)) {
                    return seen;
                }
            } catch (RuntimeException e) {
                if (lasts(call)) {
                    throw e;
                }
            }
        }
        return otherwise.get();
    }
}
