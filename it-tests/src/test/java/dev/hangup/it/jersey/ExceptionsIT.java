package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.call.CallCancelledException;
import dev.hangup.call.CallerAware;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.Logged;
import dev.hangup.it.RawClient;
import dev.hangup.it.RawResponse;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import jakarta.annotation.Priority;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.IOException;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.glassfish.jersey.server.ResourceConfig;

/** What a cancel makes a resource throw is answered as the cancel, and reported by nobody as an error. */
@EachLine
final class ExceptionsIT {

    private static final AtomicInteger BEGUN = new AtomicInteger();

    @Path("/")
    @CallerAware(deadline = "700ms")
    public static class Slow {
        @GET
        @Path("interrupted")
        public String interrupted() throws InterruptedException {
            BEGUN.incrementAndGet();
            Thread.sleep(20_000);
            return "done";
        }

        @GET
        @Path("wrapped")
        public String wrapped() {
            BEGUN.incrementAndGet();
            try {
                Thread.sleep(20_000);
            } catch (InterruptedException e) {
                throw new IllegalStateException("the report could not be made", e);
            }
            return "done";
        }

        @GET
        @Path("checkpoint")
        @CallerAware(deadline = "700ms", interrupt = false)
        public String checkpoint() {
            BEGUN.incrementAndGet();
            while (true) {
                Call.current().throwIfCancelled();
            }
        }

        /** Does not notice. */
        @GET
        @Path("deaf")
        @CallerAware(deadline = "700ms", interrupt = false)
        public String deaf() throws InterruptedException {
            BEGUN.incrementAndGet();
            Thread.sleep(1_500);
            return "done";
        }

        @GET
        @Path("streaming")
        @CallerAware(deadline = "20s")
        public StreamingOutput streaming() {
            BEGUN.incrementAndGet();
            byte[] block = new byte[10_000];
            return out -> {
                while (true) {
                    out.write(block);
                    out.flush();
                }
            };
        }

        /** Sends on its own thread, and is told by the sink alone. */
        @GET
        @Path("events")
        @Produces(MediaType.SERVER_SENT_EVENTS)
        @CallerAware(deadline = "20s", interrupt = false)
        public void events(@Context SseEventSink sink, @Context Sse sse) throws InterruptedException {
            BEGUN.incrementAndGet();
            while (true) {
                sink.send(sse.newEvent("tick"));
                Thread.sleep(20);
            }
        }

        /** Fits into the packer's buffer, and comes out of it when its caller has left. */
        @GET
        @Path("packed")
        @CallerAware(deadline = "20s")
        public StreamingOutput packed() {
            BEGUN.incrementAndGet();
            byte[] noise = new byte[100_000];
            new Random(1).nextBytes(noise);
            return out -> {
                for (int i = 0; i < 300; i++) {
                    try {
                        out.write(noise);
                    } catch (IOException swallowed) {
                        break;
                    }
                }
            };
        }

        @GET
        @Path("filtered")
        public String filtered() {
            return "done";
        }

        @GET
        @Path("failing")
        public String failing() {
            throw new IllegalArgumentException("the application's own");
        }

        @Path("late")
        public Object late() {
            return new Late();
        }
    }

    /** The filter does not know of it when the request begins. */
    public static class Late {
        @GET
        @Path("leaf")
        @CallerAware(deadline = "500ms")
        public String checkpoint() {
            BEGUN.incrementAndGet();
            while (true) {
                Call.current().throwIfCancelled();
            }
        }
    }

    public static class Sleepy implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            if (request.getUriInfo().getPath().endsWith("filtered")) {
                try {
                    Thread.sleep(20_000);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    /** Has more to write when the body is through. */
    @Priority(Priorities.ENTITY_CODER)
    public static class Packing implements WriterInterceptor {
        @Override
        public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
            GZIPOutputStream packed = new GZIPOutputStream(context.getOutputStream());
            context.setOutputStream(packed);
            context.proceed();
            packed.finish();
        }
    }

    private static final Policy POLICY =
            PolicyFile.parse("hangup.yaml", "settings: { retry-after: 7s }").policy();

    @EachContainer
    void aDeadlineIsAnsweredAsSuch(ContainerKind kind) throws Exception {
        try (Logged log = Logged.begin();
                Stage stage = Stage.start(kind, POLICY, JerseySite.of(Slow.class, Sleepy.class))) {
            for (String path :
                    new String[] {"/interrupted", "/wrapped", "/checkpoint", "/deaf", "/filtered", "/late/leaf"}) {
                RawResponse late = RawClient.ask(stage.container, path);
                assertThat(late.status()).as(path).isEqualTo(504);
                assertThat(late.header("Content-Type")).as(path).isEqualTo("application/problem+json");
                assertThat(late.header("Retry-After")).as(path).isEqualTo("7");
                assertThat(late.body())
                        .startsWith("{\"type\":\"about:blank\",\"title\":\"Deadline exceeded\",\"status\":504,")
                        .contains("\"GET " + path + " did not finish within its deadline of ");
            }
            log.assertNoAlarms();
        }
    }

    @EachContainer
    void aDepartureIsNoErrorOfAnybodys(ContainerKind kind) throws Exception {
        try (Logged log = Logged.begin();
                Stage stage = Stage.start(kind, POLICY, JerseySite.of(Slow.class))) {
            int over = 0;
            for (String path :
                    new String[] {"/interrupted", "/wrapped", "/checkpoint", "/streaming", "/events", "/late/leaf"}) {
                int begun = BEGUN.get();
                RawClient leaving = stage.client().get(path);
                await().until(() -> BEGUN.get() == begun + 1);
                leaving.rst();
                int now = ++over;
                await().untilAsserted(() -> assertThat(stage.scrape().count("hangup_calls_total"))
                        .as(path)
                        .isEqualTo(now));
            }
            // All but the two that write: they may end by that, before the watch sees why.
            assertThat(stage.scrape().count("hangup_cancelled_total")).isBetween(4L, 6L);
            await().until(() -> stage.container.busyWorkers() == 0);
            log.assertNoAlarms();
        }
    }

    /** Observed only: Jersey finds out by writing. */
    @EachContainer
    void norIsOneThatOnlyAWriteNotices(ContainerKind kind) throws Exception {
        Policy observing = PolicyFile.parse(
                        "hangup.yaml", "deadlines: { endpoints: { \"GET /streaming\": { mode: observe } } }")
                .policy();
        try (Logged log = Logged.begin();
                Stage stage = Stage.start(kind, observing, JerseySite.of(Slow.class))) {
            int begun = BEGUN.get();
            RawClient leaving = stage.client().get("/streaming");
            await().until(() -> BEGUN.get() == begun + 1);
            leaving.rst();
            await().untilAsserted(() ->
                    assertThat(stage.scrape().count("hangup_calls_total")).isEqualTo(1));
            await().until(() -> stage.container.busyWorkers() == 0);
            log.assertNoAlarms();
        }
    }

    /** What interceptors write of their own when the body is through fails as it does. */
    @EachContainer
    void norThatAnInterceptorsWriteNotices(ContainerKind kind) throws Exception {
        Policy observing = PolicyFile.parse(
                        "hangup.yaml", "deadlines: { endpoints: { \"GET /packed\": { mode: observe } } }")
                .policy();
        ResourceConfig application = new ResourceConfig(Slow.class).register(Packing.class);
        try (Logged log = Logged.begin();
                Stage stage = Stage.start(kind, observing, JerseySite.of("/*", application))) {
            int begun = BEGUN.get();
            RawClient leaving = stage.client().get("/packed");
            await().until(() -> BEGUN.get() == begun + 1);
            leaving.rst();
            await().untilAsserted(() ->
                    assertThat(stage.scrape().count("hangup_calls_total")).isEqualTo(1));
            log.assertNoAlarms();
        }
    }

    @EachContainer
    void theApplicationsMappersHearOfTheCancelAndOfNothingThatItCaused(ContainerKind kind) throws Exception {
        Queue<String> asked = new ConcurrentLinkedQueue<>();
        ResourceConfig application = new ResourceConfig(Slow.class)
                .register(new ExceptionMapper<Exception>() {
                    @Override
                    public Response toResponse(Exception failure) {
                        asked.add("any " + failure);
                        return Response.status(418).entity("ours").build();
                    }
                })
                .register(new ExceptionMapper<CallCancelledException>() {
                    @Override
                    public Response toResponse(CallCancelledException cancelled) {
                        asked.add(cancelled.endpoint() + " " + cancelled.reason());
                        return Response.status(503)
                                .header("X-Own", "yes")
                                .type("text/plain")
                                .entity("busy")
                                .build();
                    }
                });
        try (Logged log = Logged.begin();
                Stage stage = Stage.start(kind, POLICY, JerseySite.of("/*", application))) {
            for (String path : new String[] {"/interrupted", "/wrapped", "/checkpoint"}) {
                RawResponse busy = RawClient.ask(stage.container, path);
                assertThat(busy.status()).as(path).isEqualTo(503);
                assertThat(busy.header("Content-Type")).as(path).startsWith("text/plain");
                assertThat(busy.header("X-Own")).as(path).isEqualTo("yes");
                assertThat(busy.body()).as(path).isEqualTo("busy");
                await().untilAsserted(() -> assertThat(asked).containsExactly("GET " + path + " ENDPOINT_DEADLINE"));
                asked.clear();
            }
            RawResponse own = RawClient.ask(stage.container, "/late/leaf");
            assertThat(own.status()).isEqualTo(503);
            assertThat(own.body()).isEqualTo("busy");
            asked.clear();
            RawResponse failed = RawClient.ask(stage.container, "/failing");
            assertThat(failed.status()).isEqualTo(418);
            assertThat(asked).containsExactly("any java.lang.IllegalArgumentException: the application's own");
            log.assertNoAlarms();
        }
    }
}
