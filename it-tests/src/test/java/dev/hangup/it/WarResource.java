package dev.hangup.it;

import dev.hangup.call.CallerAware;
import dev.hangup.jersey.CallerAwareClientFilter;
import dev.hangup.jersey.CallerAwareConnectorProvider;
import jakarta.inject.Singleton;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.ConnectionCallback;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseBroadcaster;
import jakarta.ws.rs.sse.SseEventSink;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.server.ManagedAsync;
import org.jspecify.annotations.Nullable;

/** Part of a WAR with Jersey: works long in each way, and tells what it has seen. */
@Path("/")
@Singleton
@CallerAware(deadline = "10m")
public final class WarResource {

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private @Nullable SseBroadcaster broadcaster;

    @GET
    @Path("state")
    public String state() {
        return "begun " + begun + ", ended " + ended;
    }

    @GET
    @Path("managed")
    @ManagedAsync
    public String managed() throws InterruptedException {
        begun.incrementAndGet();
        try {
            new CountDownLatch(1).await(5, TimeUnit.MINUTES);
            return "worked to the end";
        } finally {
            ended.incrementAndGet();
        }
    }

    @GET
    @Path("suspended")
    public void suspended(@Suspended AsyncResponse response) {
        response.register((ConnectionCallback) gone -> ended.incrementAndGet());
        begun.incrementAndGet();
    }

    @GET
    @Path("events")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    public synchronized void events(@Context SseEventSink sink, @Context Sse sse) {
        SseBroadcaster all = broadcaster;
        if (all == null) {
            all = sse.newBroadcaster();
            all.onClose(closed -> ended.incrementAndGet());
            broadcaster = all;
        }
        all.register(sink);
        all.broadcast(sse.newEvent("welcome"));
        begun.incrementAndGet();
    }

    /** Asks for the state over the network, as a part of this call. */
    @GET
    @Path("downstream")
    public String downstream(@Context HttpServletRequest request) throws ExecutionException, InterruptedException {
        ClientConfig config = new ClientConfig()
                .connectorProvider(new CallerAwareConnectorProvider())
                .register(CallerAwareClientFilter.class);
        try (Client client = ClientBuilder.newClient(config)) {
            return client.target("http://127.0.0.1:" + request.getLocalPort() + request.getContextPath())
                    .path("api/state")
                    .request()
                    .async()
                    .get(String.class)
                    .get();
        }
    }
}
