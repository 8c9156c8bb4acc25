package dev.hangup.it;

import static dev.hangup.it.Scrape.endpoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.EndpointReading;
import dev.hangup.EndpointReading.Evidence;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import dev.hangup.policy.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Each endpoint's deadline is read beside the patience that its callers declare or show. */
final class ReadingIT {

    private static final int CALLERS = 12;
    private static final Duration PATIENCE = Duration.ofMillis(1500);

    private static final Policy POLICY = PolicyFile.parse("hangup.yaml", """
                        caller-deadline: { headers: [x-request-timeout-ms], trusted: [127.0.0.1] }
                        deadlines:
                          endpoints:
                            "GET /watched":  { mode: observe, normal: 30s }
                            "GET /stopped":  { mode: cancel, normal: 30s }
                            "GET /declared": { mode: observe, normal: 5s }
                            "GET /unknown":  { mode: observe, normal: 5s }
                        """).policy();

    private final Gate gate = new Gate();

    private static EndpointReading reading(Stage stage, String name) {
        return stage.hangup.readings().stream()
                .filter(one -> one.endpoint().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @EachContainer
    void whatCallersDoIsReadBesideTheDeadline(ContainerKind kind) throws Exception {
        Site site = new Site()
                .servlet("/watched", gate)
                .servlet("/stopped", gate)
                .servlet("/declared", new LambdaServlet((request, response) -> response.setStatus(204)));
        try (Logged logged = Logged.begin();
                Stage stage = Stage.start(kind, POLICY, site)) {
            assertThat(stage.hangup.readings())
                    .extracting(EndpointReading::verdict)
                    .containsOnly(Verdict.UNKNOWN)
                    .hasSize(4);
            RawClient.ask(stage.container, "/declared", "x-request-timeout-ms: 20000");
            List<RawClient> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                callers.add(stage.client().get("/watched"));
                callers.add(stage.client().get("/stopped"));
            }
            await().until(() -> gate.entered.get() == 2 * CALLERS);
            Thread.sleep(PATIENCE.toMillis()); // theirs
            for (RawClient caller : callers) {
                caller.close();
            }
            await().untilAsserted(() -> {
                assertThat(reading(stage, "GET /watched").verdict()).isEqualTo(Verdict.WORKS_FOR_NOBODY);
                assertThat(reading(stage, "GET /stopped").verdict()).isEqualTo(Verdict.STABLE);
            });
            assertThat(reading(stage, "GET /watched").evidence()).isEqualTo(Evidence.OBSERVED);
            Duration seen =
                    Objects.requireNonNull(reading(stage, "GET /watched").pair().client());
            assertThat(seen).isBetween(PATIENCE, PATIENCE.plusSeconds(10));
            assertThat(stage.scrape().sum("hangup_caller_timeout_seconds", endpoint("GET /watched")))
                    .isBetween(1.5, 11.5);
            EndpointReading declared = reading(stage, "GET /declared");
            assertThat(declared.evidence()).isEqualTo(Evidence.DECLARED);
            assertThat(declared.pair().client()).isEqualTo(Duration.ofSeconds(20));
            assertThat(declared.verdict()).isEqualTo(Verdict.WAITS_FOR_KILLED);
            assertThat(reading(stage, "GET /unknown").evidence()).isEqualTo(Evidence.NONE);
            assertThat(logged.ours())
                    .anyMatch(line -> line.contains("GET /watched: deadline 30s, callers wait ")
                            && line.contains("the server works for nobody"));
            gate.open();
        }
    }
}
