package dev.hangup;

import dev.hangup.call.CallScope;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A request's way through the filter: once for a synchronous one, once per dispatch for an asynchronous one, whose response is
 * over when the container says so. Ending twice is harmless, because the first {@link CallScope#responseOver()} counts: a
 * container may call a listener twice, or end a dispatch and call it, too.
 */
final class Passage implements AsyncListener {
    /** Where an asynchronous request keeps its passage between dispatches. */
    static final String ATTRIBUTE = "dev.hangup.Passage";

    private final CallScope call;
    /** Null where nothing is cancelled: there request and response are handed through untouched. */
    private final @Nullable GuardedResponse guard;

    private Passage(CallScope call, @Nullable GuardedResponse guard) {
        this.call = call;
        this.guard = guard;
    }

    /** The first way through, on the thread that began the call. */
    static void begin(
            CallScope call,
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable GuardedResponse guard,
            FilterChain chain)
            throws IOException, ServletException {
        boolean answer = true;
        try {
            if (guard == null) {
                chain.doFilter(request, response);
            } else {
                chain.doFilter(new GuardedRequest(call, request, guard), guard);
            }
        } catch (IOException | ServletException | RuntimeException | Error e) {
            answer = Consequence.of(call, e);
            if (!answer) {
                throw e;
            }
        } finally {
            leave(call, request, guard, null, answer);
        }
    }

    /** The way of a later dispatch; the container hands in what it was given when the request became asynchronous. */
    void resume(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean answer = true;
        call.attach();
        try {
            chain.doFilter(request, response);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            answer = Consequence.of(call, e);
            if (!answer) {
                throw e;
            }
        } finally {
            leave(call, request, guard, this, answer);
        }
    }

    private static void leave(
            CallScope call,
            HttpServletRequest request,
            @Nullable GuardedResponse guard,
            @Nullable Passage known,
            boolean answer) {
        boolean over = true;
        try {
            if (request.isAsyncStarted()) {
                Passage passage = known == null ? new Passage(call, guard) : known;
                request.setAttribute(ATTRIBUTE, passage);
                request.getAsyncContext().addListener(passage);
                over = false;
            }
        } finally {
            call.leave();
            if (over) {
                try {
                    if (guard != null && answer && call.isCancelled()) {
                        guard.farewell();
                    }
                } finally {
                    call.responseOver();
                }
            }
        }
    }

    // ---- on the container's threads

    @Override
    public void onComplete(AsyncEvent event) {
        call.responseOver();
    }

    /** The container completes the request afterwards. */
    @Override
    public void onTimeout(AsyncEvent event) {}

    /** The container completes the request afterwards. */
    @Override
    public void onError(AsyncEvent event) {}

    /** A new cycle has dropped all listeners (Servlet 6.0, section 2.3.3.3). */
    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
