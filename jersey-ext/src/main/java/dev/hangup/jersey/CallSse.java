package dev.hangup.jersey;

import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseBroadcaster;
import java.util.concurrent.ExecutorService;
import org.glassfish.hk2.api.ActiveDescriptor;
import org.glassfish.hk2.api.Descriptor;
import org.glassfish.hk2.api.ServiceLocator;
import org.glassfish.jersey.media.sse.OutboundEvent;
import org.glassfish.jersey.server.ManagedAsyncExecutor;

/** Jersey's events, and broadcasters that let the sink of a cancelled call go when it closes. */
final class CallSse implements Sse {
    private final Sinks sinks;
    private final Provider<ExecutorService> executor;
    private final ServiceLocator services;

    @Inject
    CallSse(Sinks sinks, @ManagedAsyncExecutor Provider<ExecutorService> executor, ServiceLocator services) {
        this.sinks = sinks;
        this.executor = executor;
        this.services = services;
    }

    @Override
    public OutboundSseEvent.Builder newEventBuilder() {
        return new OutboundEvent.Builder();
    }

    @Override
    public SseBroadcaster newBroadcaster() {
        return new Broadcast(sinks, executor.get(), jersey().newBroadcaster());
    }

    /** What would be injected if this were not there. */
    private Sse jersey() {
        ActiveDescriptor<?> found = services.getBestDescriptor(CallSse::isAnother);
        if (found == null) {
            throw new IllegalStateException("Jersey's SseFeature is not registered");
        }
        return (Sse) services.getServiceHandle(found).getService();
    }

    /** By its name: where a parameter is an {@code Sse}, Jersey has a descriptor that says the interface itself, and cannot be made. */
    private static boolean isAnother(Descriptor descriptor) {
        String made = descriptor.getImplementation();
        return descriptor.getAdvertisedContracts().contains(Sse.class.getName())
                && !made.equals(Sse.class.getName())
                && !made.equals(CallSse.class.getName());
    }
}
