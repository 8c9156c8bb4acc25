package dev.hangup.jersey;

import dev.hangup.call.CallScope;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import org.glassfish.jersey.process.internal.RequestScope;
import org.glassfish.jersey.server.AsyncContext;
import org.glassfish.jersey.server.monitoring.ApplicationEvent;
import org.glassfish.jersey.server.monitoring.ApplicationEventListener;
import org.glassfish.jersey.server.monitoring.RequestEvent;
import org.glassfish.jersey.server.monitoring.RequestEventListener;
import org.jspecify.annotations.Nullable;

/** Begins an {@link Exchange} for each request that is a call. */
final class Exchanges implements ApplicationEventListener {
    private final RequestCalls calls;
    private final RequestScope scope;
    private final Provider<AsyncContext> async;
    private final Sinks sinks;

    @Inject
    Exchanges(RequestCalls calls, RequestScope scope, Provider<AsyncContext> async, Sinks sinks) {
        this.calls = calls;
        this.scope = scope;
        this.async = async;
        this.sinks = sinks;
    }

    Sinks sinks() {
        return sinks;
    }

    /** Jersey answers nothing any more: see {@link RequestCalls#isOver}. */
    boolean isOver() {
        return calls.isOver();
    }

    RequestScope scope() {
        return scope;
    }

    /** That of the request in whose scope the thread is; asking makes it, which for one that never suspends is once too often. */
    AsyncContext async() {
        return async.get();
    }

    @Override
    public void onEvent(ApplicationEvent event) {}

    @Override
    public @Nullable RequestEventListener onRequest(RequestEvent start) {
        CallScope call = CallScope.current();
        if (call == null) {
            return null;
        }
        Exchange exchange = new Exchange(this, call);
        exchange.begin(start.getContainerRequest());
        return exchange;
    }
}
