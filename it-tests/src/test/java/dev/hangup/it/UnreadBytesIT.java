package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.HalfClose;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A caller's end behind bytes that nobody has read: no channel shows it, the kernel's table does. Each endpoint has its own word
 * for a half-close.
 */
@EnabledOnOs(OS.LINUX)
final class UnreadBytesIT {

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /gone", Entry.of(Mode.CANCEL))
            .endpoint("POST /gone", Entry.of(Mode.CANCEL))
            .endpoint("GET /tolerated", Entry.of(Mode.CANCEL).halfClose(HalfClose.TOLERATE))
            .endpoint("POST /tolerated", Entry.of(Mode.CANCEL).halfClose(HalfClose.TOLERATE))
            .build();

    private final Ledger ledger = new Ledger();
    private final Gate gate = new Gate();
    /** Never reads a body. */
    private final LambdaServlet servlet = new LambdaServlet((request, response) -> gate.doGet(request, response));

    private final LambdaServlet echo =
            new LambdaServlet((request, response) -> response.getOutputStream().print(request.getPathInfo()));

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, PLAIN", "TOMCAT, PLAIN", "TOMCAT, NIO2"})
    void finBehindPipelinedRequestsIsADeparture(ContainerKind kind, Wire wire) throws Exception {
        try (Hangup hangup = hangup();
                Container container = kind.start(site(hangup, wire))) {
            RawClient client = pipelining(container, "/gone");
            await().during(Duration.ofMillis(600)).until(() -> ledger.departures() == 0);
            client.fin();
            await().untilAsserted(() -> assertThat(gate.interrupted).hasValue(1));
            assertThat(ledger.cancelled(CancelReason.CALLER_CLOSED)).isEqualTo(1);
            client.close();
        }
    }

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, PLAIN", "TOMCAT, PLAIN", "TOMCAT, NIO2"})
    void toleratedFinBehindPipelinedRequestsLeavesThemAllToBeAnswered(ContainerKind kind, Wire wire) throws Exception {
        try (Hangup hangup = hangup();
                Container container = kind.start(site(hangup, wire));
                RawClient client = pipelining(container, "/tolerated")) {
            client.fin();
            await().during(Duration.ofMillis(800)).until(() -> ledger.departures() == 0);
            gate.open();
            for (String body : List.of("opened", "/2", "/3")) {
                assertThat(client.response().body()).isEqualTo(body);
            }
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(3));
            assertThat(ledger.departures()).isZero();
        }
    }

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, PLAIN", "TOMCAT, PLAIN", "TOMCAT, NIO2"})
    void finBehindAWholeBodyIsWhatTheEndpointSays(ContainerKind kind, Wire wire) throws Exception {
        try (Hangup hangup = hangup();
                Container container = kind.start(site(hangup, wire));
                RawClient gone = RawClient.connect(container).post("/gone", new byte[5_000]);
                RawClient tolerated = RawClient.connect(container).post("/tolerated", new byte[5_000])) {
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(2));
            gone.fin();
            tolerated.fin();
            await().untilAsserted(() -> assertThat(gate.interrupted).hasValue(1));
            assertThat(ledger.cancelled(CancelReason.CALLER_CLOSED)).isEqualTo(1);
            await().during(Duration.ofMillis(600)).until(() -> ledger.departures() == 1);
            gate.open();
            assertThat(tolerated.response().body()).isEqualTo("opened");
        }
    }

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, PLAIN", "TOMCAT, PLAIN", "TOMCAT, NIO2"})
    void resetIsADepartureUnderEitherWordAndAfterAToleratedFin(ContainerKind kind, Wire wire) throws Exception {
        try (Hangup hangup = hangup();
                Container container = kind.start(site(hangup, wire))) {
            RawClient pipelining = pipelining(container, "/tolerated");
            RawClient gone = RawClient.connect(container).post("/gone", new byte[5_000]);
            RawClient tolerated = RawClient.connect(container).post("/tolerated", new byte[5_000]);
            RawClient finished = RawClient.connect(container).post("/tolerated", new byte[5_000]);
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(4));
            finished.fin();
            pipelining.fin();
            await().during(Duration.ofMillis(600)).until(() -> ledger.departures() == 0);
            gone.rst();
            tolerated.rst();
            finished.rst();
            pipelining.rst();
            await().untilAsserted(() -> assertThat(gate.interrupted).hasValue(4));
            assertThat(ledger.cancelled(CancelReason.CALLER_RESET)).isEqualTo(4);
        }
    }

    /** Two requests in one segment, of which the container takes what it likes; and a third while the first is worked on. */
    private RawClient pipelining(Container container, String first) throws Exception {
        int before = gate.entered.get();
        RawClient client = RawClient.connect(container)
                .send(RawClient.head("GET", first) + "\r\n" + RawClient.head("GET", "/echo/2") + "\r\n");
        await().untilAsserted(() -> assertThat(gate.entered).hasValue(before + 1));
        return client.get("/echo/3");
    }

    private Site site(Hangup hangup, Wire wire) {
        return new Site()
                .wire(wire)
                .filter(new HangupFilter(hangup))
                .servlet("/gone", servlet)
                .servlet("/tolerated", servlet)
                .servlet("/echo/*", echo);
    }

    private Hangup hangup() {
        return Hangup.builder().policy(POLICY).listener(ledger).build();
    }
}
