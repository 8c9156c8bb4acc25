package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.it.Container;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.RawClient;
import dev.hangup.it.Scrape;
import dev.hangup.it.Stage;
import dev.hangup.jersey.HangupFeature;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseBroadcaster;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.glassfish.jersey.server.ChunkedOutput;
import org.glassfish.jersey.server.ResourceConfig;
import org.jspecify.annotations.Nullable;

/** Where departures are observed only, sinks, their broadcaster and chunked answers are Jersey's: as they are without Hangup. */
@EachLine
final class ObservedSinksIT {
    private static final int MANY = 8;

    private static final Policy POLICY = PolicyFile.parse("hangup.yaml", """
                        settings: { grace: 0ms }
                        deadlines:
                          defaults: { normal: 120s }
                          endpoints:
                            "GET /observed":  { mode: observe }
                            "GET /chunked":   { mode: observe }
                            "GET /cancelled": { mode: cancel }
                        """).policy();

    /** All sinks are in one broadcaster, whatever their endpoint. */
    @Path("/")
    @Singleton
    public static final class Events {
        @Context
        @Nullable
        Sse sse;

        final Queue<SseEventSink> observed = new ConcurrentLinkedQueue<>();
        final Queue<SseEventSink> cancelled = new ConcurrentLinkedQueue<>();
        final Queue<ChunkedOutput<String>> chunked = new ConcurrentLinkedQueue<>();
        final AtomicInteger chunksFailed = new AtomicInteger();
        final Queue<SseEventSink> closed = new ConcurrentLinkedQueue<>();
        final Queue<SseEventSink> failed = new ConcurrentLinkedQueue<>();
        private @Nullable SseBroadcaster broadcaster;

        @GET
        @Path("extended")
        public String extended(@Context Configuration configuration) {
            return "" + configuration.isEnabled(HangupFeature.class);
        }

        @GET
        @Path("observed")
        @Produces(MediaType.SERVER_SENT_EVENTS)
        public void observed(@Context SseEventSink sink) {
            add(sink, observed);
        }

        @GET
        @Path("cancelled")
        @Produces(MediaType.SERVER_SENT_EVENTS)
        public void cancelled(@Context SseEventSink sink) {
            add(sink, cancelled);
        }

        @GET
        @Path("chunked")
        @Produces(MediaType.TEXT_PLAIN)
        public ChunkedOutput<String> chunked() throws IOException {
            ChunkedOutput<String> chunks = new ChunkedOutput<>(String.class);
            chunks.write("data: welcome");
            chunked.add(chunks);
            return chunks;
        }

        private synchronized void add(SseEventSink sink, Queue<SseEventSink> all) {
            if (broadcaster == null) {
                broadcaster = Objects.requireNonNull(sse).newBroadcaster();
                broadcaster.onClose(closed::add);
                broadcaster.onError((gone, failure) -> failed.add(gone));
            }
            broadcaster.register(sink);
            all.add(sink);
            sink.send(Objects.requireNonNull(sse).newEvent("welcome"));
        }

        /** Something for everybody. */
        synchronized void tell() {
            Objects.requireNonNull(broadcaster)
                    .broadcast(Objects.requireNonNull(sse).newEvent("news"));
            for (ChunkedOutput<String> chunks : chunked) {
                if (!chunks.isClosed()) {
                    try {
                        chunks.write("data: news");
                    } catch (IOException e) {
                        chunksFailed.incrementAndGet();
                    }
                }
            }
        }

        /** What an application sees of it. */
        State state() {
            return new State(
                    observed.stream().filter(SseEventSink::isClosed).count(),
                    observed.stream().filter(closed::contains).count(),
                    observed.stream().filter(failed::contains).count(),
                    chunked.stream().filter(ChunkedOutput::isClosed).count(),
                    chunksFailed.get());
        }
    }

    private record State(long sinksClosed, long onClose, long onError, long chunkedClosed, long chunksFailed) {
        static final State UNTOUCHED = new State(0, 0, 0, 0, 0);

        boolean isOver() {
            return sinksClosed == MANY && onClose + onError == MANY && chunkedClosed == MANY;
        }
    }

    @EachContainer
    void fareAsWithoutHangup(ContainerKind kind) throws Exception {
        Events alone = new Events();
        State without;
        ResourceConfig plain = new ResourceConfig().registerInstances(alone);
        plain.property("jakarta.ws.rs.loadServices", false);
        try (Container container = kind.start(JerseySite.of("/*", plain))) {
            assertThat(RawClient.ask(container, "/extended").body()).isEqualTo("false");
            List<RawClient> callers = callers(container, "/observed");
            callers.addAll(callers(container, "/chunked"));
            leave(callers);
            without = told(alone);
        }

        Events events = new Events();
        try (Stage stage =
                Stage.start(kind, POLICY, JerseySite.of("/*", new ResourceConfig().registerInstances(events)))) {
            assertThat(RawClient.ask(stage.container, "/extended").body()).isEqualTo("true");
            List<RawClient> callers = callers(stage.container, "/observed");
            callers.addAll(callers(stage.container, "/chunked"));
            List<RawClient> others = callers(stage.container, "/cancelled");
            leave(callers);
            for (String endpoint : List.of("GET /observed", "GET /chunked")) {
                await().untilAsserted(() -> assertThat(
                                stage.scrape().count("hangup_caller_patience_seconds_count", Scrape.endpoint(endpoint)))
                        .isEqualTo(MANY));
            }
            leave(others);
            await().untilAsserted(() -> assertThat(events.closed).hasSize(MANY).containsAll(events.cancelled));
            assertThat(events.state()).isEqualTo(State.UNTOUCHED);
            assertThat(events.failed).isEmpty();

            assertThat(told(events)).isEqualTo(without);
            for (String endpoint : List.of("GET /observed", "GET /chunked")) {
                await().untilAsserted(() -> assertThat(stage.scrape()
                                .count("hangup_calls_total", Scrape.endpoint(endpoint), Scrape.outcome("would_cancel")))
                        .isEqualTo(MANY));
            }
            assertThat(events.closed).hasSize(MANY);
        }
    }

    /** Each has had its first event. */
    private static List<RawClient> callers(Container container, String path) throws IOException {
        List<RawClient> callers = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            RawClient caller = RawClient.connect(container).get(path);
            await().pollInterval(Duration.ofMillis(2))
                    .untilAsserted(() -> assertThat(caller.heard()).contains("data: welcome"));
            callers.add(caller);
        }
        return callers;
    }

    private static void leave(List<RawClient> callers) throws IOException {
        for (int i = 0; i < callers.size(); i++) {
            if (i % 2 == 0) {
                callers.get(i).close();
            } else {
                callers.get(i).rst();
            }
        }
    }

    /** What has become of those who have left, once they were told often enough for that to be over. */
    private static State told(Events events) {
        await().pollInterval(Duration.ofMillis(20)).until(() -> {
            events.tell();
            return events.state().isOver();
        });
        for (int i = 0; i < 10; i++) {
            events.tell();
        }
        return events.state();
    }
}
