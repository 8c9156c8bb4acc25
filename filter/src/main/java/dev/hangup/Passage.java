package dev.hangup;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Consequence;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
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
    /** In its place: the call has been answered for good, and no error page is for it. */
    static final Object ANSWERED = "answered";

    private final CallScope call;
    /** Null where nothing is cancelled: there request and response are handed through untouched. */
    private final @Nullable Ending ending;
    /** Whether a cycle has begun; the next ones are heard of by {@link #onStartAsync}. Written within the container's dispatches. */
    private boolean following;

    private Passage(CallScope call, @Nullable Ending ending) {
        this.call = call;
        this.ending = ending;
    }

    /** The first way through, on the thread that began the call. */
    static void begin(
            CallScope call,
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable Ending ending,
            FilterChain chain)
            throws IOException, ServletException {
        Passage passage = ending == null ? null : new Passage(call, ending);
        boolean ours = true;
        try {
            if (ending == null || passage == null) {
                chain.doFilter(request, response);
            } else {
                ending.io().tenancy.dispatched();
                GuardedResponse guarded = ending.response();
                chain.doFilter(new GuardedRequest(call, request, guarded, ending, passage), guarded);
            }
        } catch (IOException | ServletException | RuntimeException | Error e) {
            ours = Consequence.of(call, e);
            if (!ours) {
                throw e;
            }
        } finally {
            leave(call, request, response, ending, passage, ours, false);
        }
    }

    /** The call was cancelled before its work began: it is answered, and the application never sees it. */
    static void refuse(CallScope call, Ending ending) {
        call.leave();
        try {
            ending.farewell(false, false);
        } finally {
            end(call, ending);
        }
    }

    /** The way of a later dispatch; the container hands in what it was given when the request became asynchronous. */
    void resume(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean ours = true;
        call.attach();
        if (ending != null) {
            ending.io().tenancy.dispatched();
        }
        try {
            // Else an error page, which Tomcat includes in what has been sent: the answer of a cancelled call is ours.
            if (request.getDispatcherType() == DispatcherType.ASYNC || !call.isCancelled()) {
                chain.doFilter(request, response);
            }
        } catch (IOException | ServletException | RuntimeException | Error e) {
            ours = Consequence.of(call, e);
            if (!ours) {
                throw e;
            }
        } finally {
            leave(call, request, response, ending, this, ours, true);
        }
    }

    /** @param ours whether what the application has thrown, if anything, comes from the cancel; else the container hears of it */
    private static void leave(
            CallScope call,
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable Ending ending,
            @Nullable Passage known,
            boolean ours,
            boolean dispatched) {
        boolean over = true;
        try {
            // Another protocol has the connection from here on; Jetty calls that asynchronous, and has no context of
            // it.
            if (request.isAsyncStarted() && response.getStatus() != HttpServletResponse.SC_SWITCHING_PROTOCOLS) {
                (known == null ? new Passage(call, ending) : known).follow(request, request.getAsyncContext());
                over = false;
            }
        } finally {
            call.leave();
            if (over) {
                try {
                    if (ending != null && call.isCancelled()) {
                        if (!ours) {
                            request.setAttribute(ATTRIBUTE, ANSWERED);
                        }
                        ending.farewell(dispatched, !ours);
                    }
                } finally {
                    // Filters before ours have wrapped what we guard and may yet write to it: the container
                    // tells of the end when they are done.
                    if (!dispatched || ending == null || response instanceof GuardedResponse) {
                        end(call, ending);
                    }
                }
            } else if (ending != null && !ours) {
                ending.leaveFailed();
            }
        }
    }

    private static void end(CallScope call, @Nullable Ending ending) {
        call.suspectDeparture(call.workers() > 0);
        if (ending != null) {
            ending.settle();
        }
        call.responseOver();
    }

    /** The request has become asynchronous: this listener, before any of the application's. */
    void follow(ServletRequest request, AsyncContext context) {
        if (!following) {
            following = true;
            request.setAttribute(ATTRIBUTE, this);
            context.addListener(this);
        }
    }

    // ---- on the container's threads

    @Override
    public void onComplete(AsyncEvent event) {
        end(call, ending);
    }

    /** The container completes the request afterwards. */
    @Override
    public void onTimeout(AsyncEvent event) {
        leaveToContainer();
    }

    /**
     * The container completes the request afterwards. That of a stream that was reset is over here: Jetty recycles it, and tells
     * nobody, while threads of the application's still write, whose bytes the next stream would get.
     */
    @Override
    public void onError(AsyncEvent event) {
        call.suspectDeparture(true);
        if (ending != null) {
            ending.io().responseFailed();
        }
        leaveToContainer();
        if (ending != null && call.cancelReason().orElse(null) == CancelReason.STREAM_RESET) {
            end(call, ending);
        }
    }

    private void leaveToContainer() {
        if (ending != null) {
            ending.leaveToContainer();
        }
    }

    /** A new cycle has dropped all listeners (Servlet 6.0, section 2.3.3.3). */
    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
