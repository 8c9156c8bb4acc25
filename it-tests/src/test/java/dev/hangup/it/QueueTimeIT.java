package dev.hangup.it;

import static dev.hangup.it.Scrape.endpoint;
import static dev.hangup.it.Scrape.label;
import static dev.hangup.it.Scrape.outcome;
import static dev.hangup.it.Scrape.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a request has waited for a worker counts against its deadline. */
final class QueueTimeIT {

    private static final Duration WAIT = Duration.ofMillis(1500);
    private static final long HOUR = Duration.ofHours(1).toMillis();

    private final Gate gate = new Gate();
    private final AtomicInteger begun = new AtomicInteger();

    private static Policy trusting(String peers) {
        return PolicyFile.parse("hangup.yaml", """
                        settings: { request-start-header: x-request-start }
                        caller-deadline: { headers: [grpc-timeout], trusted: [%s] }
                        deadlines:
                          endpoints:
                            "GET /gate":    { mode: cancel }
                            "GET /work":    { mode: cancel }
                            "GET /short":   { mode: cancel, normal: 1s }
                            "POST /work":   { mode: cancel }
                            "GET /watched": { mode: observe }
                        """.formatted(peers)).policy();
    }

    private Site site() {
        LambdaServlet work = new LambdaServlet((request, response) -> {
            begun.incrementAndGet();
            response.getWriter().print("done");
        });
        return new Site()
                .maxThreads(1)
                .servlet("/gate", gate)
                .servlet("/work", work)
                .servlet("/short", work)
                .servlet("/watched", work);
    }

    private static String startedAt(long epochMillis) {
        return String.format(Locale.ROOT, "X-Request-Start: t=%d.%03d", epochMillis / 1000, epochMillis % 1000);
    }

    private static String startedNow() {
        return startedAt(System.currentTimeMillis());
    }

    @EachContainer
    @DisplayName(
            "case 66: a pool of 1 is busy for longer than the second request's deadline: that one is never worked on")
    void whoHasWaitedTooLongIsNeverWorkedFor(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, trusting("127.0.0.1"), site());
                RawClient holder = hold(stage);
                RawClient expired = stage.client().get("/work", "grpc-timeout: 1S", startedNow());
                RawClient own = stage.client().get("/short", startedNow());
                RawClient posting = stage.client().post("/work", new byte[10], "grpc-timeout: 1S", startedNow());
                RawClient patient = stage.client().get("/work", "grpc-timeout: 20S", startedNow());
                RawClient silent = stage.client().get("/work", "grpc-timeout: 1S")) {
            Thread.sleep(WAIT.toMillis()); // the work of the one in front
            gate.open();
            RawResponse answer = expired.response();
            assertThat(answer.status()).isEqualTo(504);
            assertThat(answer.body()).contains("GET /work was never begun: its caller's deadline of 1.");
            RawResponse late = own.response();
            assertThat(late.status()).isEqualTo(504);
            assertThat(late.body()).contains("GET /short was never begun: its deadline of ");
            assertThat(posting.response().status()).isEqualTo(504);
            assertThat(patient.response().body()).isEqualTo("done");
            assertThat(silent.response().body())
                    .as("nobody knows that it has waited")
                    .isEqualTo("done");
            assertThat(holder.response().body()).isEqualTo("opened");
            assertThat(begun).hasValue(2);
            await().untilAsserted(() -> {
                Scrape scrape = stage.scrape();
                assertThat(scrape.count("hangup_calls_total", outcome("expired_in_queue")))
                        .isEqualTo(3);
                assertThat(scrape.count("hangup_cancelled_total", reason("caller_deadline")))
                        .isEqualTo(2);
                assertThat(scrape.count("hangup_cancelled_total", reason("endpoint_deadline")))
                        .isEqualTo(1);
                assertThat(scrape.count("hangup_calls_total", outcome("completed")))
                        .isEqualTo(3);
            });
        }
    }

    /** Two streams of one connection, one after the other: the container knows since when it has the second. */
    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, H2C", "TOMCAT, H2C"})
    void aStreamThatHasWaitedTooLongIsNeverWorkedFor(ContainerKind kind, Wire wire) throws Exception {
        Site site = site().wire(wire).streamsAtOnce(1);
        if (kind == ContainerKind.TOMCAT) {
            site.maxThreads(20); // Tomcat needs a worker to read with
        }
        try (Stage stage = Stage.start(kind, trusting("127.0.0.1"), site);
                H2Client client = H2Client.connect(stage.container, wire)) {
            client.get("/gate");
            await().until(() -> gate.entered.get() == 1);
            H2Exchange second = client.get("/work", "grpc-timeout", "1S");
            Thread.sleep(WAIT.toMillis()); // the work of the one in front
            gate.open();
            await().until(() -> second.status() == 504);
            assertThat(begun).hasValue(0);
            await().untilAsserted(
                            () -> assertThat(stage.scrape().count("hangup_calls_total", outcome("expired_in_queue")))
                                    .isEqualTo(1));
        }
    }

    /** It is worked for, and by then for nobody. */
    @EachContainer
    void observedWorkIsUnownedFromTheStart(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, trusting("127.0.0.1"), site())) {
            assertThat(RawClient.ask(
                                    stage.container,
                                    "/watched",
                                    "grpc-timeout: 1S",
                                    startedAt(System.currentTimeMillis() - 5_000))
                            .body())
                    .isEqualTo("done");
            await().untilAsserted(() -> assertThat(stage.scrape()
                            .count("hangup_calls_total", endpoint("GET /watched"), outcome("deadline_passed")))
                    .isEqualTo(1));
        }
    }

    @EachContainer
    void clocksThatDisagreeChangeNothing(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, trusting("127.0.0.1"), site())) {
            String[] starts = {
                startedAt(System.currentTimeMillis() + 5_000),
                startedAt(System.currentTimeMillis() - HOUR),
                startedAt(System.currentTimeMillis() + HOUR),
                "X-Request-Start: t=yesterday"
            };
            for (String start : starts) {
                assertThat(RawClient.ask(stage.container, "/short", start).body())
                        .isEqualTo("done");
            }
            assertThat(stage.scrape()
                            .count("hangup_deadline_headers_rejected_total", label("header", "x-request-start")))
                    .isEqualTo(3);
        }
    }

    @EachContainer
    void whoIsNotTrustedCannotSayThatItHasWaited(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, trusting("203.0.113.9"), site())) {
            String[] starts = {startedAt(System.currentTimeMillis() - 5_000), "X-Request-Start: t=yesterday"};
            for (String start : starts) {
                assertThat(RawClient.ask(stage.container, "/short", start, "grpc-timeout: 1S")
                                .body())
                        .isEqualTo("done");
            }
            assertThat(stage.scrape().count("hangup_deadline_headers_rejected_total"))
                    .isZero();
        }
    }

    private RawClient hold(Stage stage) throws Exception {
        RawClient holder = stage.client().get("/gate");
        await().until(() -> gate.entered.get() == 1);
        return holder;
    }
}
