package dev.hangup;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;

/**
 * The asynchronous cycle of a call that may be cancelled. A cancel completes it, and what the application does with it afterwards
 * comes to nothing; what it starts carries the call.
 */
final class GuardedAsyncContext implements AsyncContext {
    private final GuardedResponse guard;
    private final AsyncContext raw;
    private final boolean original;

    /** @param original whether the application began the cycle with the request and response it was given */
    GuardedAsyncContext(GuardedResponse guard, AsyncContext raw, boolean original) {
        this.guard = guard;
        this.raw = raw;
        this.original = original;
    }

    @Override
    public ServletRequest getRequest() {
        return raw.getRequest();
    }

    @Override
    public ServletResponse getResponse() {
        return raw.getResponse();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return original;
    }

    @Override
    public void dispatch() {
        guard.unlessCompleted(raw::dispatch);
    }

    @Override
    public void dispatch(String path) {
        guard.unlessCompleted(() -> raw.dispatch(path));
    }

    @Override
    public void dispatch(ServletContext context, String path) {
        guard.unlessCompleted(() -> raw.dispatch(context, path));
    }

    @Override
    public void complete() {
        guard.unlessCompleted(raw::complete);
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
