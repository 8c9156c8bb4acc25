package dev.hangup.it;

import static dev.hangup.it.Scrape.label;
import static dev.hangup.it.Scrape.outcome;
import static dev.hangup.it.Scrape.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;

/** What callers declare of their patience: believed from trusted peers, and only where it shortens. */
final class DeclaredDeadlineIT {

    private static final String FORGED = "203.0.113.9";

    private final Gate gate = new Gate();
    private final AtomicReference<String> remote = new AtomicReference<>();

    private static Policy trusting(String peers) {
        return PolicyFile.parse("hangup.yaml", """
                        caller-deadline:
                          headers: [x-request-timeout-ms, x-envoy-expected-rq-timeout-ms, grpc-timeout, prefer-wait]
                          trusted: [%s]
                        deadlines:
                          endpoints:
                            "GET /slow":     { mode: cancel, normal: 30s }
                            "GET /quick":    { mode: cancel, normal: 400ms }
                            "GET /watched":  { mode: observe, normal: 30s }
                            "GET /hello":    { mode: cancel, normal: 30s }
                        """.formatted(peers)).policy();
    }

    private Site site() {
        return new Site()
                .servlet("/slow", gate)
                .servlet("/quick", gate)
                .servlet("/watched", gate)
                .servlet("/hello", new LambdaServlet((request, response) -> {
                    remote.set(request.getRemoteAddr());
                    response.getWriter().print("hello");
                }));
    }

    @EachContainer
    @DisplayName("case 64: two headers are present: the smaller one wins, whatever hop has written it")
    void theSmallestOfThemIsTheDeadline(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, trusting("127.0.0.0/8"), site())) {
            RawResponse response = RawClient.ask(
                    stage.container,
                    "/slow",
                    "x-envoy-expected-rq-timeout-ms: 15000",
                    "GRPC-Timeout: 300m",
                    "Prefer: respond-async, wait=2");
            assertThat(response.status()).isEqualTo(504);
            assertThat(response.body()).contains("within its caller's deadline of 0.300 s");
            await().untilAsserted(
                            () -> assertThat(stage.scrape().count("hangup_cancelled_total", reason("caller_deadline")))
                                    .isEqualTo(1));
            assertThat(gate.interrupted).hasValue(1);
            assertThat(stage.scrape().count("hangup_caller_patience_seconds_count"))
                    .isZero();
        }
    }

    @EachContainer
    void itIsNeverLongerThanTheEndpointsOwnNorShorterThanTheFloor(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, trusting("127.0.0.0/8"), site())) {
            assertThat(RawClient.ask(stage.container, "/quick", "x-request-timeout-ms: 60000")
                            .body())
                    .contains("within its deadline of 0.400 s");
            assertThat(RawClient.ask(stage.container, "/slow", "x-request-timeout-ms: 1")
                            .body())
                    .contains("within its caller's deadline of 0.050 s");
            await().untilAsserted(() -> {
                Scrape scrape = stage.scrape();
                assertThat(scrape.count("hangup_cancelled_total", reason("endpoint_deadline")))
                        .isEqualTo(1);
                assertThat(scrape.count("hangup_cancelled_total", reason("caller_deadline")))
                        .isEqualTo(1);
            });
        }
    }

    @EachContainer
    void whatIsMalformedIsCountedAndNeverAnError(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, trusting("127.0.0.0/8"), site())) {
            String[][] wrong = {
                {"grpc-timeout: 5"},
                {"grpc-timeout: 0S"},
                {"grpc-timeout: 1S", "grpc-timeout: 2S"},
                {"x-request-timeout-ms: -5"},
                {"x-request-timeout-ms: 99999999999999999999"},
                {"x-envoy-expected-rq-timeout-ms: soon"},
                {"Prefer: wait=1, wait=2"},
                {"Prefer: " + "a".repeat(300)},
            };
            for (String[] headers : wrong) {
                RawResponse response = RawClient.ask(stage.container, "/hello", headers);
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.body()).isEqualTo("hello");
            }
            assertThat(RawClient.ask(stage.container, "/hello", "Prefer: return=minimal")
                            .status())
                    .isEqualTo(200);
            Scrape scrape = stage.scrape();
            String rejected = "hangup_deadline_headers_rejected_total";
            assertThat(scrape.count(rejected, label("header", "grpc-timeout"))).isEqualTo(3);
            assertThat(scrape.count(rejected, label("header", "x-request-timeout-ms")))
                    .isEqualTo(2);
            assertThat(scrape.count(rejected, label("header", "x-envoy-expected-rq-timeout-ms")))
                    .isEqualTo(1);
            assertThat(scrape.count(rejected, label("header", "prefer-wait"))).isEqualTo(2);
            await().untilAsserted(() -> assertThat(stage.scrape().count("hangup_calls_total", outcome("completed")))
                    .isEqualTo(9));
        }
    }

    /** The peer says that it is somebody who is trusted, and the container believes it: its socket tells the truth. */
    @EachContainer
    @DisplayName("case 64: a header from beyond the trusted edge, with a forged address, changes nothing")
    void whoIsNotTrustedIsNotListenedTo(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, trusting(FORGED), site().forwardedBelieved())) {
            RawResponse response =
                    RawClient.ask(stage.container, "/hello", "X-Forwarded-For: " + FORGED, "grpc-timeout: nonsense");
            assertThat(response.body()).isEqualTo("hello");
            assertThat(remote).hasValue(FORGED);
            assertThat(stage.scrape().count("hangup_deadline_headers_rejected_total"))
                    .isZero();

            assertThat(RawClient.ask(
                                    stage.container, "/quick", "X-Forwarded-For: " + FORGED, "x-request-timeout-ms: 60")
                            .body())
                    .contains("within its deadline of 0.400 s");
        }
    }

    /** A trusted proxy in front says for whom it asks. */
    @EachContainer
    void whoIsTrustedIsListenedToForWhomeverItAsks(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, trusting("127.0.0.0/8, fd00::/8"), site().forwardedBelieved())) {
            assertThat(RawClient.ask(stage.container, "/hello", "X-Forwarded-For: " + FORGED)
                            .body())
                    .isEqualTo("hello");
            assertThat(remote).hasValue(FORGED);
            assertThat(RawClient.ask(stage.container, "/quick", "X-Forwarded-For: " + FORGED, "grpc-timeout: 60m")
                            .body())
                    .contains("within its caller's deadline of 0.060 s");
        }
    }

    /** The connection stays open and nothing is cancelled, but nobody waits any more. */
    @EachContainer
    void pastItObservedWorkIsUnowned(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, trusting("127.0.0.1"), site());
                RawClient client = stage.client().get("/watched", "x-request-timeout-ms: 200")) {
            await().untilAsserted(() ->
                    assertThat(stage.scrape().count("hangup_unowned_calls")).isEqualTo(1));
            double before = stage.scrape().sum("hangup_unowned_work_seconds_total");
            await().untilAsserted(() -> assertThat(stage.scrape().sum("hangup_unowned_work_seconds_total"))
                    .isGreaterThan(before + 0.1));
            gate.open();
            assertThat(client.response().body()).isEqualTo("opened");
            await().untilAsserted(() -> {
                Scrape scrape = stage.scrape();
                assertThat(scrape.count("hangup_unowned_calls")).isZero();
                assertThat(scrape.count("hangup_calls_total", outcome("deadline_passed")))
                        .isEqualTo(1);
            });
            assertThat(stage.scrape().count("hangup_cancelled_total")).isZero();
        }
    }

    @EachContainer
    void nobodyIsTrustedWhereTheContainerIsNotKnown(ContainerKind kind) throws Exception {
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(trusting("127.0.0.0/8")).build();
                Container container = kind.start(
                        site().filter(new Disguise(new HangupFilter(hangup), java.io.Serializable.class, Map.of())))) {
            for (int i = 0; i < 3; i++) {
                assertThat(RawClient.ask(container, "/quick", "x-request-timeout-ms: 60")
                                .body())
                        .contains("within its deadline of 0.400 s");
            }
            await().untilAsserted(() -> assertThat(logged.alarms())
                    .filteredOn(line -> line.contains("the socket's peer cannot be told"))
                    .hasSize(1));
        }
    }
}
