package dev.hangup.jersey;

import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseBroadcaster;
import java.util.concurrent.ExecutorService;
import org.glassfish.jersey.media.sse.OutboundEvent;
import org.glassfish.jersey.server.ManagedAsyncExecutor;

/** Jersey's events, and broadcasters that let a sink go when it closes. */
final class CallSse implements Sse {
    private final Sinks sinks;
    private final Provider<ExecutorService> executor;

    @Inject
    CallSse(Sinks sinks, @ManagedAsyncExecutor Provider<ExecutorService> executor) {
        this.sinks = sinks;
        this.executor = executor;
    }

    @Override
    public OutboundSseEvent.Builder newEventBuilder() {
        return new OutboundEvent.Builder();
    }

    @Override
    public SseBroadcaster newBroadcaster() {
        return new Broadcast(sinks, executor.get());
    }
}
