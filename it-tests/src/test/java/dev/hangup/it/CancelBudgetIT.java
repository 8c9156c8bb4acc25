package dev.hangup.it;

import static dev.hangup.it.Scrape.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import java.util.ArrayList;
import java.util.List;

/** Something in between makes all callers seem to leave at once: most of the work goes on, and everything is counted. */
final class CancelBudgetIT {

    private static final int CALLS = 20;
    private static final int SHARE_OF_THEM = 4;
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withMaxCancelShare(0.2))
            .endpoint("GET /work", Entry.of(Mode.CANCEL))
            .build();

    @EachContainer
    void mostOfTheWorkGoesOn(ContainerKind kind) throws Exception {
        Gate gate = new Gate();
        try (Logged logged = Logged.begin();
                Stage stage = Stage.start(kind, POLICY, new Site().servlet("/work", gate))) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                clients.add(stage.client().get("/work"));
            }
            await().until(() -> gate.entered.get() == CALLS);
            for (RawClient client : clients) {
                client.close();
            }
            await().untilAsserted(() -> {
                Scrape scrape = stage.scrape();
                assertThat(scrape.count("hangup_caller_patience_seconds_count")).isEqualTo(CALLS);
                assertThat(scrape.count("hangup_cancelled_total")).isEqualTo(SHARE_OF_THEM);
                assertThat(scrape.count("hangup_unowned_calls")).isEqualTo(CALLS - SHARE_OF_THEM);
                assertThat(gate.interrupted).hasValue(SHARE_OF_THEM);
            });
            gate.open();
            await().untilAsserted(() ->
                    assertThat(stage.scrape().count("hangup_calls_total")).isEqualTo(CALLS));
            Scrape scrape = stage.scrape();
            assertThat(scrape.count("hangup_calls_total", outcome("cancelled"))).isEqualTo(SHARE_OF_THEM);
            assertThat(scrape.count("hangup_calls_total", outcome("would_cancel")))
                    .isEqualTo(CALLS - SHARE_OF_THEM);
            await().untilAsserted(
                            () -> assertThat(logged.alarms())
                                    .singleElement()
                                    .asString()
                                    .startsWith(
                                            "WARNING dev.hangup: 5 of the 20 calls of the last 10 s were to be cancelled, max-cancel-share is 20%"));
        }
    }
}
