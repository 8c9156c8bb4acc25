package dev.hangup.jersey;

import dev.hangup.call.CallScope;
import jakarta.ws.rs.container.ContainerRequestContext;
import org.glassfish.jersey.server.monitoring.ApplicationEvent;
import org.glassfish.jersey.server.monitoring.ApplicationEventListener;
import org.glassfish.jersey.server.monitoring.RequestEvent;
import org.glassfish.jersey.server.monitoring.RequestEventListener;
import org.jspecify.annotations.Nullable;

/**
 * Which call a request is: looked up once, on the container's thread, before anything of the application's has run, and kept with
 * the request, for whoever works on it later on another thread.
 */
final class RequestCalls implements ApplicationEventListener {
    private static final String PROPERTY = "dev.hangup.jersey.call";

    /** The request's call, or null where no filter of ours is in front. Any thread. */
    static @Nullable CallScope of(ContainerRequestContext request) {
        return (CallScope) request.getProperty(PROPERTY);
    }

    @Override
    public void onEvent(ApplicationEvent event) {}

    @Override
    public @Nullable RequestEventListener onRequest(RequestEvent start) {
        CallScope call = CallScope.current();
        if (call != null) {
            start.getContainerRequest().setProperty(PROPERTY, call);
        }
        return null;
    }
}
