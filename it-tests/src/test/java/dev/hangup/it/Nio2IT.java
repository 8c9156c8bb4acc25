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
import dev.hangup.policy.Settings;
import java.time.Duration;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tomcat's NIO2 connector, with TLS and without, whose callers only the kernel's table shows. */
@EnabledOnOs(OS.LINUX)
@EachLine
final class Nio2IT {

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /gate", Entry.of(Mode.CANCEL))
            .endpoint("GET /late", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(700)))
            .endpoint("POST /echo", Entry.of(Mode.CANCEL))
            .build();

    private final Ledger ledger = new Ledger();
    private final Gate gate = new Gate();

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"NIO2", "NIO2_TLS"})
    void finAndResetAreSeenAndWhoStaysIsAnswered(Wire wire) throws Exception {
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = ContainerKind.TOMCAT.start(site(hangup, wire));
                RawClient staying = RawClient.connect(container, wire).get("/gate");
                RawClient late = RawClient.connect(container, wire).get("/late")) {
            RawClient closing = RawClient.connect(container, wire).get("/gate");
            RawClient resetting = RawClient.connect(container, wire).get("/gate");
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(4));
            closing.close();
            resetting.rst();
            await().untilAsserted(() -> assertThat(ledger.departures()).isEqualTo(2));
            assertThat(ledger.cancelled(CancelReason.CALLER_CLOSED)).isEqualTo(1);
            assertThat(ledger.cancelled(CancelReason.CALLER_RESET)).isEqualTo(1);
            assertThat(late.response().status()).isEqualTo(504);
            await().untilAsserted(() -> assertThat(gate.interrupted).hasValue(3));
            gate.open();
            assertThat(staying.response().body()).isEqualTo("opened");
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(4));
            assertThat(ledger.of(Unwatched.NIO2)).isZero();
            logged.assertNoAlarms();
        }
    }

    /** Every call is asked about while it is worked on, and its connection carries the next one unharmed. */
    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"NIO2", "NIO2_TLS"})
    void connectionsCarryCallAfterCall(Wire wire) throws Exception {
        int clients = 8;
        int rounds = 5;
        LambdaServlet echo = new LambdaServlet((request, response) -> {
            byte[] body = request.getInputStream().readAllBytes();
            Thread.sleep(300); // longer than from one reading of the table to the next
            response.getOutputStream().write(body);
        });
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container =
                        ContainerKind.TOMCAT.start(site(hangup, wire).servlet("/echo", echo))) {
            Crowd.of(clients, client -> {
                try (RawClient connection = RawClient.connect(container, wire)) {
                    for (int round = 0; round < rounds; round++) {
                        String body = "body " + client + " " + round;
                        connection.send(RawClient.head("POST", "/echo", "Content-Length: " + body.length()) + "\r\n"
                                + body.substring(0, 3));
                        Thread.sleep(round % 2 == 0 ? 0 : 400); // a body that arrives slowly
                        connection.send(body.substring(3));
                        assertThat(connection.response().body()).isEqualTo(body);
                    }
                }
            });
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(clients * rounds));
            assertThat(ledger.departures()).isZero();
        }
    }

    private Site site(Hangup hangup, Wire wire) {
        return new Site()
                .wire(wire)
                .filter(new HangupFilter(hangup))
                .servlet("/gate", gate)
                .servlet("/late", gate);
    }
}
