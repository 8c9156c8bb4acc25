package dev.hangup;

import dev.hangup.call.CallScope;
import dev.hangup.call.Consequence;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The asynchronous cycle of a call that may be cancelled. A cancel completes it, and what the application does with it afterwards
 * comes to nothing: its request and response are still there, and refuse, where the container's would throw what no application
 * expects in mid-work. What it starts carries the call.
 */
final class GuardedAsyncContext implements AsyncContext {
    private final CallScope call;
    private final Ending ending;
    private final AsyncContext raw;
    private final ServletRequest request;
    private final ServletResponse response;
    private final boolean original;
    private final @Nullable String origin;

    /**
     * @param request what the cycle was begun with, as {@code response}
     * @param original whether they are what the application was given
     * @param origin where {@link #dispatch()} goes, below the context's path; null: to the path of {@code request}
     */
    GuardedAsyncContext(
            CallScope call,
            Ending ending,
            AsyncContext raw,
            ServletRequest request,
            ServletResponse response,
            boolean original,
            @Nullable String origin) {
        this.call = call;
        this.ending = ending;
        this.raw = raw;
        this.request = request;
        this.response = response;
        this.original = original;
        this.origin = origin;
    }

    @Override
    public ServletRequest getRequest() {
        return request;
    }

    @Override
    public ServletResponse getResponse() {
        return response;
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return original;
    }

    @Override
    public void dispatch() {
        ending.end(raw, () -> {
            if (origin == null
                    || !(request instanceof HttpServletRequest http)
                    || http.getRequestURI().equals(http.getContextPath() + origin)) {
                raw.dispatch();
            } else {
                raw.dispatch(origin); // the container would take the path of the forward that the request is in
            }
        });
    }

    @Override
    public void dispatch(String path) {
        ending.end(raw, () -> raw.dispatch(path));
    }

    @Override
    public void dispatch(ServletContext context, String path) {
        ending.end(raw, () -> raw.dispatch(context, path));
    }

    @Override
    public void complete() {
        ending.complete(raw);
    }

    @Override
    public void start(Runnable run) {
        ending.unlessOurs(() -> {
            ServletContext application = request.getServletContext();
            Runnable carried = call.wrap(run);
            raw.start(() -> run(carried, application));
        });
    }

    /**
     * Of what a task throws Tomcat makes an error of the request, long completed by a cancel, and perhaps somebody else's by now. So
     * what a cancel has made it throw ends here, as elsewhere, and any other failure of a cancelled call is told to the log alone.
     */
    private void run(Runnable task, ServletContext application) {
        ending.io().tenancy.begin();
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            if (e instanceof VirtualMachineError || !(call.isCancelled() || call.isResponseOver())) {
                throw e;
            }
            if (!Consequence.of(call, e)) {
                application.log(call.endpoint() + ": a task of a call that is over has failed", e);
            }
        }
    }

    @Override
    public void addListener(AsyncListener listener) {
        ending.unlessOurs(() -> raw.addListener(new Relay(listener)));
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
        ending.unlessOurs(() -> raw.addListener(new Relay(listener), request, response));
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return raw.createListener(type);
    }

    @Override
    public void setTimeout(long millis) {
        ending.unlessOurs(() -> raw.setTimeout(millis));
    }

    @Override
    public long getTimeout() {
        long[] millis = new long[1];
        ending.unlessOurs(() -> millis[0] = raw.getTimeout());
        return millis[0];
    }

    /** Hands the application's listeners this context in place of the container's, which would complete past the ending. */
    private final class Relay implements AsyncListener {
        private final AsyncListener listener;

        Relay(AsyncListener listener) {
            this.listener = listener;
        }

        private AsyncEvent event(AsyncEvent event, AsyncContext context) {
            return new AsyncEvent(
                    context, event.getSuppliedRequest(), event.getSuppliedResponse(), event.getThrowable());
        }

        @Override
        public void onComplete(AsyncEvent event) throws IOException {
            listener.onComplete(event(event, GuardedAsyncContext.this));
        }

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            listener.onTimeout(event(event, GuardedAsyncContext.this));
        }

        @Override
        public void onError(AsyncEvent event) throws IOException {
            listener.onError(event(event, GuardedAsyncContext.this));
        }

        /** Of a new cycle, whose context is not this one. */
        @Override
        public void onStartAsync(AsyncEvent event) throws IOException {
            listener.onStartAsync(event(
                    event,
                    new GuardedAsyncContext(
                            call, ending, event.getAsyncContext(), request, response, original, origin)));
        }
    }
}
