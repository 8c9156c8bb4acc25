package dev.hangup.it;

import static dev.hangup.it.Scrape.endpoint;
import static dev.hangup.it.Scrape.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/** What is written to a caller who left arrives nowhere, but fails nowhere either: the first write after a FIN succeeds. */
final class SmallAnswerIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /observed", Entry.of(Mode.OBSERVE).normal(LIMIT))
            .endpoint("GET /stubborn", Entry.of(Mode.CANCEL).normal(LIMIT).interrupt(false))
            .build();

    @EachContainer
    @DisplayName("case 18: a small answer to a caller who left is no success")
    void aSmallAnswerToACallerWhoLeftIsNoSuccess(ContainerKind kind) throws IOException {
        Gate gate = new Gate();
        try (Stage stage = Stage.start(kind, POLICY, new Site().servlet("/*", gate))) {
            List<RawClient> clients = new ArrayList<>();
            for (String path : List.of("/observed", "/observed", "/stubborn", "/stubborn")) {
                clients.add(stage.client().get(path));
            }
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(4));
            for (int i = 0; i < 4; i++) {
                if (i % 2 == 0) {
                    clients.get(i).close();
                } else {
                    clients.get(i).rst();
                }
            }
            await().until(() -> stage.scrape().count("hangup_unowned_calls") == 4);
            gate.open();
            await().until(() -> stage.turnstile.inside() == 0);

            Scrape scrape = stage.scrape();
            String observed = endpoint("GET /observed");
            String stubborn = endpoint("GET /stubborn");
            assertThat(scrape.count("hangup_calls_total", observed, outcome("would_cancel")))
                    .isEqualTo(2);
            assertThat(scrape.count("hangup_calls_total", stubborn, outcome("cancelled")))
                    .isEqualTo(2);
            assertThat(scrape.count("hangup_calls_total")).isEqualTo(4);
            assertThat(scrape.count("hangup_cancelled_total", observed)).isZero();
            assertThat(scrape.count("hangup_caller_patience_seconds_count", observed))
                    .isEqualTo(2);
            assertThat(gate.interrupted).hasValue(0);
        }
    }

    /** The work ends in the instant in which its caller is seen leaving: the cancel finds nothing left to stop. */
    @EachContainer
    @DisplayName("case 18: an answer that comes in the instant of the departure is no success either")
    void anAnswerInTheInstantOfTheDepartureIsNoSuccess(ContainerKind kind) throws Exception {
        Gate gate = new Gate();
        Ledger ledger = new Ledger() {
            @Override
            public void callerGone(CallScope call, CancelReason cause) {
                super.callerGone(call, cause);
                gate.open();
                await().until(call::isEnded);
            }
        };
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", gate))) {
            RawClient client = RawClient.connect(container).get("/stubborn");
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(1));
            client.close();
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(1));
            assertThat(ledger.ended(Outcome.COMPLETED_AFTER_GONE)).isEqualTo(1);
            assertThat(gate.answered).hasValue(1);
            assertThat(ledger.cancelled(CancelReason.CALLER_CLOSED)).isZero();
        }
    }
}
