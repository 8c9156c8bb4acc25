package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CancelReason;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import java.time.Duration;

/** TCP's urgent byte makes a channel readable, and stands where counting what is to be read stops: 0, as at the stream's end. */
final class UrgentByteIT {

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /gate", Entry.of(Mode.CANCEL))
            .build();

    private final Ledger ledger = new Ledger();
    private final Gate gate = new Gate();

    @EachContainer
    void whoSendsOneStays(ContainerKind kind) throws Exception {
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(new Site()
                        .filter(new HangupFilter(hangup))
                        .servlet("/gate", gate)
                        .servlet("/echo", new EchoServlet()));
                RawClient alone = RawClient.connect(container).get("/gate");
                RawClient pipelining = RawClient.connect(container).get("/gate");
                RawClient other = RawClient.connect(container).get("/gate")) {
            RawClient leaving = RawClient.connect(container).get("/gate");
            RawClient resetting = RawClient.connect(container).get("/gate");
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(5));
            alone.urgent('!');
            pipelining.urgent('!').get("/echo");
            other.get("/echo").urgent('!'); // behind what waits to be read, not before
            leaving.urgent('!');
            resetting.urgent('!');
            await().during(Duration.ofMillis(700)).until(() -> ledger.departures() == 0);

            leaving.close();
            resetting.rst();
            await().untilAsserted(() -> assertThat(gate.interrupted).hasValue(2));
            assertThat(ledger.cancelled(CancelReason.CALLER_CLOSED)).isEqualTo(1);
            assertThat(ledger.cancelled(CancelReason.CALLER_RESET)).isEqualTo(1);

            gate.open();
            assertThat(alone.response().body()).isEqualTo("opened");
            assertThat(pipelining.response().body()).isEqualTo("opened");
            assertThat(pipelining.response().body()).isEqualTo("GET /echo ");
            assertThat(other.response().body()).isEqualTo("opened");
            assertThat(other.response().body()).isEqualTo("GET /echo ");
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(7));
            assertThat(ledger.departures()).isEqualTo(2);
            logged.assertNoAlarms();
        }
    }
}
