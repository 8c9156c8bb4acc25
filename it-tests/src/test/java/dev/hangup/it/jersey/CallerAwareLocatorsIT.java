package dev.hangup.it.jersey;

import static dev.hangup.it.jersey.AnnotatedWork.BEGUN;
import static dev.hangup.it.jersey.AnnotatedWork.DONE;
import static dev.hangup.it.jersey.AnnotatedWork.INTERRUPTED;
import static dev.hangup.it.jersey.AnnotatedWork.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallerAware;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.RawClient;
import dev.hangup.it.Scrape;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** {@code @CallerAware} on sub-resource locators, and on what they lead to. */
@EachLine
final class CallerAwareLocatorsIT {

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

    @EachContainer
    void itHoldsForWhatALocatorLeadsTo(ContainerKind kind) throws Exception {
        int before = INTERRUPTED.get();
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(Locators.class))) {
            RawClient aware = stage.client().get("/locators/1/leaf/2");
            RawClient brief = stage.client().get("/locators/plain/1/brief");
            RawClient plain = stage.client().get("/locators/plain/1/leaf/2");
            AnnotatedWork.assertStopped(stage, aware.response(), "GET /locators/{x}/leaf/{y}");
            AnnotatedWork.assertStopped(stage, brief.response(), "GET /locators/plain/{x}/brief");
            assertThat(plain.response().body()).isEqualTo("done");
            await().untilAsserted(() -> assertThat(INTERRUPTED.get()).isEqualTo(before + 2));
        }
    }

    @EachContainer
    void aDepartureStopsTheWork(ContainerKind kind) throws Exception {
        int begun = BEGUN.get();
        int before = INTERRUPTED.get();
        Policy policy = PolicyFile.parse(
                        "hangup.yaml", "deadlines: { endpoints: { \"GET /locators/{x}/leaf/{y}\": { normal: 20s } } }")
                .policy();
        try (Stage stage = Stage.start(kind, policy, JerseySite.of(Locators.class))) {
            RawClient leaving = stage.client().get("/locators/1/leaf/2");
            await().until(() -> BEGUN.get() == begun + 1);
            leaving.close();
            await().untilAsserted(() -> assertThat(INTERRUPTED.get()).isEqualTo(before + 1));
            await().untilAsserted(() -> assertThat(
                            stage.scrape().count("hangup_cancelled_total", Scrape.reason("caller_closed")))
                    .isEqualTo(1));
        }
    }

    /** Said by the class of what a locator returns, which is known only then: flag and answer, but no interrupt. */
    @EachContainer
    void whatIsKnownLateIsNotInterrupted(ContainerKind kind) throws Exception {
        int before = INTERRUPTED.get();
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(Locators.class))) {
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
                            "GET /locators/{a}/leaf/{b}":     { normal: 20s }
                            "GET /locators/plain/{x}/brief":  { normal: 20s, mode: off }
                        """).policy();
        try (Stage stage = Stage.start(kind, policy, JerseySite.of(Locators.class))) {
            assertThat(RawClient.ask(stage.container, "/locators/1/leaf/2").body())
                    .isEqualTo("done");
            assertThat(stage.scrape().sum("hangup_cancelling", Scrape.endpoint("GET /locators/{a}/leaf/{b}")))
                    .isEqualTo(1);
        }
    }
}
