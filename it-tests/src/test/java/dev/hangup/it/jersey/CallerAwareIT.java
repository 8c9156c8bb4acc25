package dev.hangup.it.jersey;

import static dev.hangup.it.jersey.AnnotatedWork.BEGUN;
import static dev.hangup.it.jersey.AnnotatedWork.INTERRUPTED;
import static dev.hangup.it.jersey.AnnotatedWork.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallerAware;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.Logged;
import dev.hangup.it.RawClient;
import dev.hangup.it.RawResponse;
import dev.hangup.it.Scrape;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** {@code @CallerAware} on methods, classes and interfaces: the work is stopped by its deadline, and when its caller leaves. */
@EachLine
final class CallerAwareIT {

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

    private static final Class<?>[] ALL = {OnMethod.class, OnClass.class, Implementation.class, Overriding.class};

    private static final Map<String, String> STOPPED = Map.of(
            "/method", "GET /method",
            "/method/7", "GET /method/{id}",
            "/class", "GET /class",
            "/interface/method", "GET /interface/method");

    private static final List<String> DONE_IN_TIME =
            List.of("/method/plain/1", "/method/word", "/method/observed", "/class/longer", "/overridden/own");

    @EachContainer
    void itHoldsWhereverItStands(ContainerKind kind) throws Exception {
        int before = INTERRUPTED.get();
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(ALL))) {
            Map<String, RawClient> stopped = new LinkedHashMap<>();
            for (String path : STOPPED.keySet()) {
                stopped.put(path, stage.client().get(path));
            }
            Map<String, RawClient> done = new LinkedHashMap<>();
            for (String path : DONE_IN_TIME) {
                done.put(path, stage.client().get(path));
            }
            for (Map.Entry<String, RawClient> asked : stopped.entrySet()) {
                AnnotatedWork.assertStopped(
                        stage, asked.getValue().response(), Objects.requireNonNull(STOPPED.get(asked.getKey())));
            }
            for (Map.Entry<String, RawClient> asked : done.entrySet()) {
                assertThat(asked.getValue().response().body())
                        .as(asked.getKey())
                        .isEqualTo("done");
            }
            await().untilAsserted(() -> assertThat(INTERRUPTED.get()).isEqualTo(before + STOPPED.size()));
        }
    }

    /** A method that changes something has to be annotated itself, and then is cancelled as well. */
    @EachContainer
    void whichResourcesCancelIsSaidOnceAtTheStart(ContainerKind kind) throws Exception {
        try (Logged logged = Logged.begin();
                Stage stage = Stage.start(
                        kind,
                        Policy.defaults(),
                        JerseySite.of(OnMethod.class, OnClass.class, CallerAwareLocatorsIT.Locators.class))) {
            String first = "annotated endpoints that cancel: GET /class, GET /class/longer,"
                    + " GET /locators/plain/{x}/brief, GET /locators/{x}/brief, GET /locators/{x}/leaf/{y},"
                    + " GET /method, GET /method/{id}, POST /method";
            assertThat(said(logged)).containsExactly(first);
            for (int i = 0; i < 2; i++) {
                RawClient.ask(stage.container, "/locators/unknown/" + i + "/leaf/2");
            }
            assertThat(said(logged))
                    .containsExactly(
                            first,
                            "annotated endpoints that cancel, and are known only when a request has come there:"
                                    + " GET /locators/unknown/{x}/leaf/{y}; the metric hangup_cancelling names the others");
        }
    }

    private static List<String> said(Logged logged) {
        return logged.ours().stream()
                .filter(line -> line.startsWith("annotated"))
                .toList();
    }

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
        int begun = BEGUN.get();
        int before = INTERRUPTED.get();
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(ALL))) {
            RawClient leaving = stage.client().get("/class/longer");
            await().until(() -> BEGUN.get() == begun + 1);
            leaving.close();
            await().untilAsserted(() -> assertThat(INTERRUPTED.get()).isEqualTo(before + 1));
            await().untilAsserted(() -> assertThat(
                            stage.scrape().count("hangup_cancelled_total", Scrape.reason("caller_closed")))
                    .isEqualTo(1));
        }
    }

    @EachContainer
    void theEntryGoesBeforeTheAnnotationKeyByKey(ContainerKind kind) throws Exception {
        Policy policy = PolicyFile.parse("hangup.yaml", """
                        deadlines:
                          endpoints:
                            "GET /method/{number}":  { normal: 900ms }
                            "GET /class":            { mode: observe }
                        """).policy();
        try (Stage stage = Stage.start(kind, policy, JerseySite.of(OnMethod.class, Observing.class))) {
            RawResponse late = RawClient.ask(stage.container, "/method/7");
            assertThat(late.status()).isEqualTo(504);
            assertThat(late.body()).contains("GET /method/{number} did not finish within its deadline of 0.900 s");
            assertThat(RawClient.ask(stage.container, "/class").body()).isEqualTo("done");
            assertThat(stage.scrape().sum("hangup_cancelling", Scrape.endpoint("GET /method/{number}")))
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
}
