package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.call.CallerAware;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.RawClient;
import dev.hangup.it.RawResponse;
import dev.hangup.it.Scrape;
import dev.hangup.it.Silence;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

/** {@code @CallerAware} wherever it may stand: the work is stopped by its deadline, and when its caller leaves. */
@EachLine
final class CallerAwareIT {

    private static final AtomicInteger BEGUN = new AtomicInteger();
    private static final AtomicInteger INTERRUPTED = new AtomicInteger();
    private static final AtomicInteger DONE = new AtomicInteger();

    static String work(long millis) {
        BEGUN.incrementAndGet();
        try {
            new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            INTERRUPTED.incrementAndGet();
            Thread.currentThread().interrupt();
            Call.current().throwIfCancelled();
            throw new IllegalStateException("interrupted, and not by a cancel", e);
        }
        DONE.incrementAndGet();
        return "done";
    }

    @Path("method")
    public static class OnMethod {
        @GET
        @CallerAware(deadline = "700ms")
        public String brief() {
            return work(20_000);
        }

        @POST
        @CallerAware(deadline = "700ms")
        public String post() {
            return work(20_000);
        }

        @GET
        @Path("plain/{x}")
        public String plain() {
            return work(1_500);
        }

        @GET
        @Path("{id: [0-9]+}")
        @CallerAware(deadline = "700ms")
        public String number() {
            return work(20_000);
        }

        /** The filter takes it for the one above until it is routed. */
        @GET
        @Path("{name: [a-z]+}")
        public String word() {
            return work(1_500);
        }

        @GET
        @Path("observed")
        @CallerAware(deadline = "700ms", onCallerGone = CallerAware.Reaction.OBSERVE)
        public String observed() {
            return work(1_500);
        }
    }

    @Path("class")
    @CallerAware(deadline = "700ms")
    public static class OnClass {
        @GET
        public String brief() {
            return work(20_000);
        }

        @GET
        @Path("longer")
        @CallerAware(deadline = "20s")
        public String longer() {
            return work(1_500);
        }
    }

    public interface Contract {
        @GET
        @Path("method")
        @CallerAware(deadline = "700ms")
        String brief();
    }

    /** Has inherited all annotations of the method, among them ours. */
    @Path("interface")
    public static class Implementation implements Contract {
        @Override
        public String brief() {
            return work(20_000);
        }
    }

    /** Has annotations of its own, and so those of the interface do not count. */
    @Path("overridden")
    public static class Overriding implements Contract {
        @Override
        @GET
        @Path("own")
        public String brief() {
            return work(1_500);
        }
    }

    @Path("locators")
    public static class Locators {
        @Path("{x}")
        @CallerAware(deadline = "700ms")
        public Sub aware(@PathParam("x") String x) {
            return new Sub();
        }

        @Path("plain/{x}")
        public Sub plain() {
            return new Sub();
        }

        @Path("unknown/{x}")
        @CallerAware(deadline = "700ms")
        public Object unknown() {
            return new Sub();
        }
    }

    public static class Sub {
        @GET
        @Path("leaf/{y}")
        public String leaf() {
            return work(1_500);
        }

        @GET
        @Path("brief")
        @CallerAware(deadline = "700ms")
        public String brief() {
            return work(20_000);
        }
    }

    private static final Class<?>[] ALL = {
        OnMethod.class, OnClass.class, Implementation.class, Overriding.class, Locators.class
    };

    private static final Map<String, String> STOPPED = Map.of(
            "/method", "GET /method",
            "/method/7", "GET /method/{id}",
            "/class", "GET /class",
            "/interface/method", "GET /interface/method",
            "/locators/1/leaf/2", "GET /locators/{x}/leaf/{y}",
            "/locators/plain/1/brief", "GET /locators/plain/{x}/brief");

    private static final List<String> DONE_IN_TIME = List.of(
            "/method/plain/1",
            "/method/word",
            "/method/observed",
            "/class/longer",
            "/overridden/own",
            "/locators/plain/1/leaf/2");

    @EachContainer
    void itHoldsWhereverItStands(ContainerKind kind) throws Exception {
        int before = INTERRUPTED.get();
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(ALL))) {
            Map<String, RawClient> asked = new LinkedHashMap<>();
            for (String path : STOPPED.keySet()) {
                asked.put(path, stage.client().get(path));
            }
            for (String path : DONE_IN_TIME) {
                asked.put(path, stage.client().get(path));
            }
            for (Map.Entry<String, String> stopped : STOPPED.entrySet()) {
                assertStopped(stage, answer(asked, stopped.getKey()), stopped.getValue());
            }
            for (String path : DONE_IN_TIME) {
                assertThat(answer(asked, path).body()).as(path).isEqualTo("done");
            }
            await().untilAsserted(() -> assertThat(INTERRUPTED.get()).isEqualTo(before + STOPPED.size()));
        }
    }

    private static RawResponse answer(Map<String, RawClient> asked, String path) throws IOException {
        return Objects.requireNonNull(asked.get(path)).response();
    }

    /** A method that changes something has to be annotated itself, and then is cancelled as well. */
    @EachContainer
    void aPostIsCancelledToo(ContainerKind kind) throws Exception {
        int before = INTERRUPTED.get();
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(ALL))) {
            RawResponse late = stage.client().post("/method", new byte[] {'x'}).response();
            assertThat(late.status()).isEqualTo(504);
            await().untilAsserted(() -> assertThat(INTERRUPTED.get()).isEqualTo(before + 1));
        }
    }

    @EachContainer
    void aDepartureStopsTheWork(ContainerKind kind) throws Exception {
        for (String path : new String[] {"/class/longer", "/locators/1/leaf/2"}) {
            int begun = BEGUN.get();
            int before = INTERRUPTED.get();
            Policy policy = PolicyFile.parse(
                            "hangup.yaml",
                            "deadlines: { endpoints: { \"GET /locators/{x}/leaf/{y}\": { normal: 20s } } }")
                    .policy();
            try (Stage stage = Stage.start(kind, policy, JerseySite.of(ALL))) {
                RawClient leaving = stage.client().get(path);
                await().until(() -> BEGUN.get() == begun + 1);
                leaving.close();
                await().untilAsserted(() -> assertThat(INTERRUPTED.get()).isEqualTo(before + 1));
                await().untilAsserted(() -> assertThat(
                                stage.scrape().count("hangup_cancelled_total", Scrape.reason("caller_closed")))
                        .isEqualTo(1));
            }
        }
    }

    /** Said by the class of what a locator returns, which is known only then: flag and answer, but no interrupt. */
    @EachContainer
    void whatIsKnownLateIsNotInterrupted(ContainerKind kind) throws Exception {
        int before = INTERRUPTED.get();
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(ALL))) {
            int done = DONE.get();
            RawClient.ask(stage.container, "/locators/unknown/1/leaf/2");
            await().untilAsserted(() -> assertThat(stage.scrape()
                            .count("hangup_cancelled_total", Scrape.endpoint("GET /locators/unknown/{x}/leaf/{y}")))
                    .isEqualTo(1));
            assertThat(DONE.get()).isEqualTo(done + 1);
            assertThat(INTERRUPTED.get()).isEqualTo(before);
        }
    }

    @EachContainer
    void theEntryGoesBeforeTheAnnotationKeyByKey(ContainerKind kind) throws Exception {
        Policy policy = PolicyFile.parse("hangup.yaml", """
                        deadlines:
                          endpoints:
                            "GET /method/{number}":           { normal: 900ms }
                            "GET /class":                     { mode: observe }
                            "GET /locators/{a}/leaf/{b}":     { normal: 20s }
                            "GET /locators/plain/{x}/brief":  { normal: 20s, mode: off }
                        """).policy();
        try (Stage stage = Stage.start(kind, policy, JerseySite.of("/*", observing()))) {
            RawResponse late = RawClient.ask(stage.container, "/method/7");
            assertThat(late.status()).isEqualTo(504);
            assertThat(late.body()).contains("GET /method/{number} did not finish within its deadline of 0.900 s");
            assertThat(RawClient.ask(stage.container, "/class").body()).isEqualTo("done");
            assertThat(RawClient.ask(stage.container, "/locators/1/leaf/2").body())
                    .isEqualTo("done");
            assertThat(stage.scrape().sum("hangup_cancelling", Scrape.endpoint("GET /locators/{a}/leaf/{b}")))
                    .isEqualTo(1);
            assertThat(stage.scrape().sum("hangup_deadline_seconds", Scrape.endpoint("GET /method/{number}")))
                    .isEqualTo(0.9);
        }
    }

    /** As {@link OnClass}, but soon done. */
    @Path("class")
    @CallerAware(deadline = "700ms")
    public static class Observing {
        @GET
        public String brief() {
            return work(1_500);
        }
    }

    private static ResourceConfig observing() {
        return new ResourceConfig(OnMethod.class, Observing.class, Locators.class);
    }

    public interface Malformed {
        @GET
        @CallerAware(deadline = "soon")
        String brief();
    }

    @Path("malformed")
    public static class MalformedHere implements Malformed {
        @Override
        public String brief() {
            return work(0);
        }
    }

    @Path("malformed/below")
    public static class MalformedBelow {
        @Path("{x}")
        @CallerAware(deadline = "0s")
        public Object sub() {
            return new Sub();
        }
    }

    /** As a servlet container asks it to start. */
    @Test
    void aMalformedOneEndsTheStartAndIsNamed() {
        ResourceConfig application = new ResourceConfig(MalformedHere.class, MalformedBelow.class);
        assertThatThrownBy(() -> new ApplicationHandler(application))
                .hasStackTraceContaining(Malformed.class.getName() + ".brief: deadline = ")
                .hasStackTraceContaining(MalformedBelow.class.getName() + ".sub: deadline = ")
                .hasStackTraceContaining("soon");
    }

    @EachContainer
    void thenNothingIsServed(ContainerKind kind) throws Exception {
        try (Silence silence = Silence.ofContainers()) {
            Stage stage;
            try {
                stage = Stage.start(kind, Policy.defaults(), JerseySite.of(MalformedHere.class, OnMethod.class));
            } catch (IllegalStateException refused) {
                return; // the whole context
            }
            try (stage) {
                assertThat(RawClient.ask(stage.container, "/method/plain/1").status())
                        .isGreaterThanOrEqualTo(404);
            }
        }
    }

    private static void assertStopped(Stage stage, RawResponse late, String endpoint) {
        assertThat(late.status()).as(endpoint).isEqualTo(504);
        assertThat(late.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(late.body()).contains(endpoint + " did not finish within its deadline of 0.700 s");
        await().untilAsserted(() -> assertThat(stage.scrape()
                        .count("hangup_cancelled_total", Scrape.endpoint(endpoint), Scrape.reason("endpoint_deadline")))
                .as(endpoint)
                .isEqualTo(1));
        assertThat(stage.scrape().sum("hangup_cancelling", Scrape.endpoint(endpoint)))
                .as(endpoint)
                .isEqualTo(1);
        assertThat(stage.scrape().sum("hangup_deadline_seconds", Scrape.endpoint(endpoint)))
                .as(endpoint)
                .isEqualTo(0.7);
    }
}
