package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CancelReason;
import dev.hangup.policy.Entry;
import dev.hangup.policy.HalfClose;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import java.time.Duration;

/** RFC 9112 section 9.6: a FIN may mean "no more requests" only. The policy says what it means here. */
@EachLine
final class HalfCloseIT {

    @EachContainer
    void tolerantPolicyAnswersAfterAFinAndNoticesAReset(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        Gate gate = new Gate();
        Gate other = new Gate();
        try (Hangup hangup = hangup(HalfClose.TOLERATE, ledger);
                Container container = kind.start(new Site()
                        .filter(new HangupFilter(hangup))
                        .servlet("/gate", gate)
                        .servlet("/other", other));
                RawClient listening = RawClient.connect(container).get("/gate");
                RawClient resetting = RawClient.connect(container).get("/other")) {
            await().untilAsserted(() ->
                    assertThat(gate.entered.get() + other.entered.get()).isEqualTo(2));
            listening.fin();
            resetting.fin();
            // Longer than the pause between two looks at a half-closed connection.
            await().during(Duration.ofMillis(700)).until(() -> ledger.departures() == 0);
            resetting.rst();
            await().untilAsserted(() -> assertThat(other.interrupted).hasValue(1));
            assertThat(ledger.of(CancelReason.CALLER_RESET)).isEqualTo(1);
            gate.open();
            assertThat(listening.response().body()).isEqualTo("opened");
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(2));
            assertThat(ledger.departures()).isEqualTo(1);
        }
    }

    @EachContainer
    void strictPolicyTakesAFinForADeparture(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        Gate gate = new Gate();
        try (Hangup hangup = hangup(HalfClose.GONE, ledger);
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/gate", gate));
                RawClient listening = RawClient.connect(container).get("/gate")) {
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(1));
            listening.fin();
            await().untilAsserted(() -> assertThat(gate.interrupted).hasValue(1));
            assertThat(ledger.cancelled(CancelReason.CALLER_CLOSED)).isEqualTo(1);
            // Whoever still listens is told why it gets nothing.
            assertThat(listening.response().status()).isEqualTo(499);
        }
    }

    private static Hangup hangup(HalfClose halfClose, Ledger ledger) {
        return Hangup.builder()
                .policy(Policy.builder()
                        .halfClose(halfClose)
                        .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
                        .endpoint("GET /gate", Entry.of(Mode.CANCEL))
                        .endpoint("GET /other", Entry.of(Mode.CANCEL))
                        .build())
                .listener(ledger)
                .build();
    }
}
