package dev.hangup.it.jersey;

import static dev.hangup.it.Scrape.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.Logged;
import dev.hangup.it.RawClient;
import dev.hangup.it.Site;
import dev.hangup.it.Stage;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseBroadcaster;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.glassfish.jersey.server.ResourceConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

/** Listeners to a broadcaster who hang up, while others listen on. */
@EachLine
@DisplayName(
        "case 22: sinks of server-sent events close with their caller, once, nothing is kept of them, and nobody says a word")
final class Case22IT {
    private static final int MANY = 100;

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /events", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(120)))
            .endpoint("GET /kept", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(120)))
            .build();

    /** One broadcaster for all. */
    @Path("/events")
    public static final class Events {
        private final SseBroadcaster broadcaster;
        private final Sse sse;
        final Map<SseEventSink, AtomicInteger> closed = new ConcurrentHashMap<>();
        final AtomicInteger failed = new AtomicInteger();

        Events(Sse sse) {
            this.sse = sse;
            broadcaster = sse.newBroadcaster();
            broadcaster.onClose(sink ->
                    closed.computeIfAbsent(sink, unknown -> new AtomicInteger()).incrementAndGet());
            broadcaster.onError((sink, failure) -> failed.incrementAndGet());
        }

        void add(SseEventSink sink) {
            closed.put(sink, new AtomicInteger());
            sink.send(sse.newEvent("welcome"));
            broadcaster.register(sink);
        }

        void tell(String text) {
            broadcaster.broadcast(sse.newEvent(text));
        }

        long open() {
            return closed.keySet().stream().filter(sink -> !sink.isClosed()).count();
        }

        long out() {
            return closed.values().stream().filter(times -> times.get() > 0).count();
        }
    }

    /** Made by Jersey, and so given its Sse. */
    @Path("/events")
    public static final class Resource {
        static final AtomicReference<@Nullable Events> EVENTS = new AtomicReference<>();

        @GET
        @Produces(MediaType.SERVER_SENT_EVENTS)
        public void listen(@Context SseEventSink sink, @Context Sse sse) {
            EVENTS.compareAndSet(null, new Events(sse));
            Objects.requireNonNull(EVENTS.get()).add(sink);
        }
    }

    /** Whose sinks come to a broadcaster when there has been time to leave. */
    @Path("/kept")
    public static final class Kept {
        static final Queue<SseEventSink> SINKS = new ConcurrentLinkedQueue<>();
        static final AtomicReference<@Nullable Sse> SSE = new AtomicReference<>();

        @GET
        @Produces(MediaType.SERVER_SENT_EVENTS)
        public void listen(@Context SseEventSink sink, @Context Sse sse) {
            sink.send(sse.newEvent("welcome"));
            SSE.set(sse);
            SINKS.add(sink);
        }
    }

    @EachContainer
    void aSinkWhoseCallerHasLeftBeforeItIsRegisteredIsOutAtOnce(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, JerseySite.of(Kept.class))) {
            RawClient caller = stage.client().get("/kept");
            await().until(() -> Kept.SINKS.size() == 1);
            SseEventSink sink = Kept.SINKS.remove();
            caller.rst();
            await().until(sink::isClosed);
            await().untilAsserted(() ->
                    assertThat(stage.scrape().count("hangup_calls_total")).isEqualTo(1));
            AtomicInteger closed = new AtomicInteger();
            SseBroadcaster broadcaster = Objects.requireNonNull(Kept.SSE.get()).newBroadcaster();
            broadcaster.onClose(gone -> {
                closed.incrementAndGet();
                throw new AssertionError("on purpose");
            });
            broadcaster.onClose(gone -> closed.incrementAndGet());
            broadcaster.register(sink);
            await().untilAsserted(() -> assertThat(closed).hasValue(2));
            broadcaster.close();
        }
    }

    @EachContainer
    void closeAndAreForgotten(ContainerKind kind) throws Exception {
        Resource.EVENTS.set(null);
        long before = HeldContexts.count();
        try (Stage stage =
                Stage.start(kind, POLICY, JerseySite.with(new Site(), "/*", new ResourceConfig(Resource.class)))) {
            List<RawClient> leaving = listeners(stage, MANY);
            List<RawClient> staying = listeners(stage, 3);
            Events events = Objects.requireNonNull(Resource.EVENTS.get());
            assertThat(events.open()).isEqualTo(MANY + 3);
            try (Logged logged = Logged.informing()) {
                leave(kind, events, leaving);
                await().untilAsserted(() -> assertThat(stage.scrape().count("hangup_calls_total", outcome("cancelled")))
                        .isEqualTo(MANY));
                events.tell("still there");
                events.tell("and again");
                for (RawClient client : staying) {
                    await().untilAsserted(() -> assertThat(client.heard())
                            .contains("data: still there")
                            .contains("data: and again"));
                    client.close();
                }
                await().untilAsserted(() -> assertThat(events.out()).isEqualTo(MANY + 3));
                assertThat(events.closed.values()).allMatch(times -> times.get() == 1);
                assertThat(events.failed).hasValue(0);
                await().untilAsserted(() ->
                        assertThat(stage.scrape().momentary().values()).containsOnly(0.0));
                Resource.EVENTS.set(null);
                events.closed.clear();
                await().atMost(Duration.ofSeconds(30))
                        .untilAsserted(() -> assertThat(HeldContexts.count()).isLessThanOrEqualTo(before + MANY / 10));
                assertThat(logged.above(Level.FINE)).isEmpty();
            }
        }
    }

    private static void leave(ContainerKind kind, Events events, List<RawClient> leaving) throws IOException {
        long left = System.nanoTime();
        for (int i = 0; i < leaving.size(); i++) {
            if (i % 2 == 0) {
                leaving.get(i).close();
            } else {
                leaving.get(i).rst();
            }
        }
        await().untilAsserted(() -> assertThat(events.open()).isEqualTo(3));
        await().untilAsserted(() -> assertThat(events.out()).isEqualTo(leaving.size()));
        System.out.printf(
                "%s: %d sinks closed, and out of their broadcaster, within %d ms%n",
                kind, leaving.size(), Duration.ofNanos(System.nanoTime() - left).toMillis());
    }

    /** Each has had its first event. */
    private static List<RawClient> listeners(Stage stage, int count) throws IOException {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(stage.client().get("/events"));
        }
        for (RawClient client : clients) {
            await().pollInterval(Duration.ofMillis(2))
                    .untilAsserted(() -> assertThat(client.heard()).contains("data: welcome"));
        }
        return clients;
    }
}
