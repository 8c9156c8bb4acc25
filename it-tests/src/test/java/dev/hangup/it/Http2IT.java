package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.call.Unwatched;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP/2: a stream's reset ends its call alone, a lost connection ends all of its calls, and a GOAWAY none. */
@EachLine
final class Http2IT {

    private static final Duration SOON = Duration.ofSeconds(2);
    /** Longer than from one look at a stream to the next, on either container. */
    private static final Duration LOOKED_AGAIN = Duration.ofMillis(600);

    private static final Policy POLICY =
            Policy.builder().endpoint("GET /gate", Entry.of(Mode.CANCEL)).build();

    private final Ledger ledger = new Ledger();
    private final Gate gate = new Gate();

    private Container start(ContainerKind kind, Site site, Hangup hangup) {
        return kind.start(site.filter(new HangupFilter(hangup)).servlet("/gate", gate));
    }

    private Hangup hangup() {
        return Hangup.builder().policy(POLICY).listener(ledger).build();
    }

    private List<H2Exchange> open(H2Client client, int streams) throws IOException {
        int entered = gate.entered.get();
        List<H2Exchange> exchanges = new ArrayList<>();
        for (int i = 0; i < streams; i++) {
            exchanges.add(client.get("/gate"));
        }
        await().untilAsserted(() -> assertThat(gate.entered).hasValue(entered + streams));
        return exchanges;
    }

    private void assertAllWatched() {
        for (Unwatched cause : Arrays.asList(Unwatched.values())) {
            assertThat(ledger.of(cause)).as("%s", cause).isZero();
        }
    }

    @ParameterizedTest(name = "{0} over {1}, told: {2}")
    @CsvSource({
        "JETTY, H2C, true",
        "JETTY, H2C, false",
        "JETTY, H2, true",
        "JETTY, H2, false",
        "TOMCAT, H2C, true",
        "TOMCAT, H2, true"
    })
    @DisplayName("case 19: stream 5 of 10 is reset: its worker alone is cancelled, the others answer")
    void resetEndsItsOwnCallAlone(ContainerKind kind, Wire wire, boolean told) throws Exception {
        Site site = new Site().wire(wire);
        if (!told) {
            site.remoteErrorsUntold();
        }
        try (Logged logged = Logged.begin();
                Hangup hangup = hangup();
                Container container = start(kind, site, hangup);
                H2Client client = H2Client.connect(container, wire)) {
            List<H2Exchange> exchanges = open(client, 10);
            await().during(Duration.ofMillis(100)).until(() -> ledger.departures() == 0);
            exchanges.remove(4).reset();
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(gate.interrupted).hasValue(1));
            assertThat(ledger.of(CancelReason.STREAM_RESET)).isEqualTo(1);
            await().during(LOOKED_AGAIN).until(() -> ledger.departures() == 1);
            gate.open();
            for (H2Exchange exchange : exchanges) {
                assertThat(exchange.outcome()).isEqualTo("200 opened");
            }
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(10));
            assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(9);
            assertThat(ledger.cancelled(CancelReason.STREAM_RESET)).isEqualTo(1);
            assertAllWatched();
            logged.assertNoAlarms();
        }
    }

    @ParameterizedTest(name = "{0} over {1} by {2}")
    @CsvSource({
        "JETTY, H2C, FIN", "JETTY, H2, FIN", "TOMCAT, H2C, FIN", "TOMCAT, H2, FIN",
        "JETTY, H2C, RST", "JETTY, H2, RST", "TOMCAT, H2C, RST", "TOMCAT, H2, RST",
        "JETTY, H2C, GOAWAY_FIN", "JETTY, H2, GOAWAY_FIN", "TOMCAT, H2C, GOAWAY_FIN", "TOMCAT, H2, GOAWAY_FIN"
    })
    void lostConnectionEndsAllOfItsCalls(ContainerKind kind, Wire wire, String how) throws Exception {
        try (Logged logged = Logged.begin();
                Hangup hangup = hangup();
                Container container = start(kind, new Site().wire(wire), hangup);
                H2Client staying = H2Client.connect(container, wire);
                H2Client leaving = H2Client.connect(container, wire)) {
            List<H2Exchange> others = open(staying, 2);
            open(leaving, 5);
            await().during(Duration.ofMillis(200)).until(() -> ledger.departures() == 0);
            switch (how) {
                case "FIN" -> leaving.cut();
                case "RST" -> leaving.rst();
                default -> leaving.close();
            }
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(gate.interrupted).hasValue(5));
            assertThat(ledger.of(CancelReason.STREAM_RESET)).isEqualTo(5);
            gate.open();
            for (H2Exchange exchange : others) {
                assertThat(exchange.outcome()).isEqualTo("200 opened");
            }
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(7));
            assertThat(ledger.cancelled(CancelReason.STREAM_RESET)).isEqualTo(5);
            assertAllWatched();
            logged.assertNoAlarms();
        }
    }

    /** Jetty lets open streams finish. Tomcat closes the connection, so that nobody is left who could read an answer. */
    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, H2C", "JETTY, H2", "TOMCAT, H2C", "TOMCAT, H2"})
    void goAwayAloneEndsNothingThatTheContainerLetsFinish(ContainerKind kind, Wire wire) throws Exception {
        try (Hangup hangup = hangup();
                Container container = start(kind, new Site().wire(wire), hangup);
                H2Client client = H2Client.connect(container, wire)) {
            List<H2Exchange> exchanges = open(client, 3);
            client.goAway();
            if (kind == ContainerKind.TOMCAT) {
                await().atMost(SOON).untilAsserted(() -> assertThat(ledger.of(CancelReason.STREAM_RESET))
                        .isEqualTo(3));
                return;
            }
            await().during(LOOKED_AGAIN).until(() -> ledger.departures() == 0);
            gate.open();
            for (H2Exchange exchange : exchanges) {
                assertThat(exchange.outcome()).isEqualTo("200 opened");
            }
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(3));
        }
    }
}
