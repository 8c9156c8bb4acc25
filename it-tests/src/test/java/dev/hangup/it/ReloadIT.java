package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.policy.Policy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

/** A new policy while calls are under way. */
final class ReloadIT {

    private static final String FILE =
            "deadlines: { endpoints: { \"GET /gate\": { mode: cancel, normal: DEADLINE } } }";

    @EachContainer
    void callsUnderWayKeepTheirDeadlineAndTheNextHaveTheNew(ContainerKind kind, @TempDir Path dir) throws Exception {
        Path file = Files.writeString(dir.resolve("hangup.yaml"), FILE.replace("DEADLINE", "60s"));
        Gate gate = new Gate();
        LambdaServlet inForce = new LambdaServlet((request, response) -> response.getWriter()
                .print(((Policy) request.getServletContext().getAttribute(Hangup.POLICY_ATTRIBUTE))
                        .ruleFor("GET", "/gate")
                        .deadline()));
        try (Hangup hangup = Hangup.builder().policyFile(file).build();
                Container container = kind.start(new Site()
                        .filter(new HangupFilter(hangup))
                        .servlet("/gate", gate)
                        .servlet("/policy", inForce));
                RawClient early = RawClient.connect(container)) {
            early.get("/gate");
            await().until(() -> gate.entered.get() == 1);

            Files.writeString(file, FILE.replace("DEADLINE", "300ms"));
            await().atMost(Duration.ofSeconds(20))
                    .until(() ->
                            hangup.policy().ruleFor("GET", "/gate").deadline().toMillis() == 300);
            try (RawClient late = RawClient.connect(container);
                    RawClient asking = RawClient.connect(container)) {
                assertThat(late.get("/gate").response().status()).isEqualTo(504);
                assertThat(asking.get("/policy").response().body()).isEqualTo("PT0.3S");
            }
            await().untilAsserted(() -> assertThat(gate.interrupted).hasValue(1));
            gate.open();
            assertThat(early.response().body()).isEqualTo("opened");
        }
    }
}
