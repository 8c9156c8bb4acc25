package dev.hangup;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/**
 * The asynchronous cycle of a call that may be cancelled. A cancel completes it, and what the application does with it afterwards
 * comes to nothing: its request and response are still there, and refuse, where the container's would throw what no application
 * expects in mid-work. What it starts carries the call.
 */
final class GuardedAsyncContext implements AsyncContext {
    private final GuardedResponse guard;
    private final AsyncContext raw;
    private final ServletRequest request;
    private final ServletResponse response;
    private final boolean original;

    /**
     * @param request what the cycle was begun with, as {@code response}
     * @param original whether they are what the application was given
     */
    GuardedAsyncContext(
            GuardedResponse guard,
            AsyncContext raw,
            ServletRequest request,
            ServletResponse response,
            boolean original) {
        this.guard = guard;
        this.raw = raw;
        this.request = request;
        this.response = response;
        this.original = original;
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
        guard.unlessCancelled(raw::dispatch);
    }

    @Override
    public void dispatch(String path) {
        guard.unlessCancelled(() -> raw.dispatch(path));
    }

    @Override
    public void dispatch(ServletContext context, String path) {
        guard.unlessCancelled(() -> raw.dispatch(context, path));
    }

    @Override
    public void complete() {
        guard.unlessCancelled(raw::complete);
    }

    @Override
    public void start(Runnable run) {
        raw.start(guard.carried(run));
    }

    @Override
    public void addListener(AsyncListener listener) {
        raw.addListener(listener);
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
        raw.addListener(listener, request, response);
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return raw.createListener(type);
    }

    @Override
    public void setTimeout(long millis) {
        raw.setTimeout(millis);
    }

    @Override
    public long getTimeout() {
        return raw.getTimeout();
    }
}
