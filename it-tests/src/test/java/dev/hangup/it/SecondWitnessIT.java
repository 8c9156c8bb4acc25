package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.Planted;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.metrics.HangupMetrics;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A watch that says of callers who are there that they left. The kernel's table knows better. */
@EnabledOnOs(OS.LINUX)
final class SecondWitnessIT {

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /gate", Entry.of(Mode.CANCEL))
            .endpoint("GET /late", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(2)))
            .build();

    private final Ledger ledger = new Ledger();
    private final Gate gate = new Gate();
    private final Liar liar = new Liar();
    private final HangupMetrics metrics = new HangupMetrics();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @EachContainer
    void watchThatWasContradictedCountsDeparturesAndCancelsNothing(ContainerKind kind) throws Exception {
        metrics.bindTo(registry);
        try (Logged logged = Logged.begin();
                Hangup hangup = hangup();
                Container container = kind.start(site(hangup));
                RawClient victim = RawClient.connect(container).get("/gate")) {
            await().until(() -> liar.watched() == 1);
            liar.lie();
            // The cancel does not wait for the witness, so that the first one is wrong.
            await().untilAsserted(() -> assertThat(gate.interrupted).hasValue(1));
            await().untilAsserted(() -> assertThat(disagreements()).isEqualTo(1));

            RawClient second = RawClient.connect(container).get("/gate");
            RawClient late = RawClient.connect(container).get("/late");
            await().until(() -> liar.watched() == 3);
            liar.lie();
            await().untilAsserted(() -> assertThat(ledger.departures()).isEqualTo(3));
            liar.beHonest();
            RawClient leaving = RawClient.connect(container).get("/gate");
            await().until(() -> liar.watched() == 4);
            leaving.close();
            await().untilAsserted(() -> assertThat(ledger.departures()).isEqualTo(4));

            assertThat(late.response().status()).isEqualTo(504); // a deadline is no departure
            gate.open();
            assertThat(second.response().body()).isEqualTo("opened");
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(4));
            assertThat(ledger.cancelled(CancelReason.CALLER_CLOSED)).isEqualTo(1);
            assertThat(ledger.cancelled(CancelReason.ENDPOINT_DEADLINE)).isEqualTo(1);
            assertThat(ledger.ended(Outcome.COMPLETED_AFTER_GONE)).isEqualTo(2);
            // The others were checked, too, by a signal and by the clock; those who left agree.
            assertThat(disagreements()).isBetween(2L, 5L);
            assertThat(logged.alarms()).singleElement().asString().contains("liar", "cancel nothing");
            victim.close();
        }
    }

    @EachContainer
    void honestWatchIsBelieved(ContainerKind kind) throws Exception {
        metrics.bindTo(registry);
        try (Logged logged = Logged.begin();
                Hangup hangup = hangup();
                Container container = kind.start(site(hangup))) {
            for (int round = 0; round < 8; round++) {
                int departures = ledger.departures();
                RawClient closing = RawClient.connect(container).get("/gate");
                RawClient resetting = RawClient.connect(container).get("/gate");
                await().until(() -> liar.watched() == departures + 2);
                closing.close();
                resetting.rst();
                await().untilAsserted(() -> assertThat(ledger.departures()).isEqualTo(departures + 2));
            }
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(16));
            await().during(Duration.ofMillis(500)).until(() -> disagreements() == 0);
            logged.assertNoAlarms();
        }
    }

    private long disagreements() {
        return Scrape.parse(registry.scrape()).count("hangup_watch_disagreements_total", Scrape.label("watch", "liar"));
    }

    private Site site(Hangup hangup) {
        return new Site()
                .filter(new HangupFilter(hangup))
                .servlet("/gate", gate)
                .servlet("/late", gate);
    }

    private Hangup hangup() {
        return Planted.watch(Hangup.builder().policy(POLICY).listener(ledger).listener(metrics), liar);
    }
}
