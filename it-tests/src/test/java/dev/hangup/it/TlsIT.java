package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.call.Unwatched;
import dev.hangup.policy.Entry;
import dev.hangup.policy.HalfClose;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Callers over TLS: a departure stands behind a record, or is none of TLS's. */
@EachLine
final class TlsIT {

    private static final int EACH = 10;
    private static final Duration SOON = Duration.ofSeconds(5);

    private final Ledger ledger = new Ledger();

    private Hangup hangup(HalfClose halfClose) {
        Policy policy = Policy.builder()
                .settings(Settings.DEFAULTS.withGrace(Duration.ofMillis(5)))
                .endpoint("GET /gate", Entry.of(Mode.CANCEL).halfClose(halfClose))
                .endpoint("GET /slow", Entry.of(Mode.CANCEL).halfClose(halfClose))
                .build();
        return Hangup.builder().policy(policy).listener(ledger).build();
    }

    private interface Departure {
        void by(RawClient client) throws IOException;
    }

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, TLS", "JETTY, TLS_12", "TOMCAT, TLS", "TOMCAT, TLS_12"})
    void departureIsSeenWhateverItsKind(ContainerKind kind, Wire wire) throws Exception {
        Gate gate = new Gate();
        try (Logged logged = Logged.begin();
                Hangup hangup = hangup(HalfClose.GONE);
                Container container = kind.start(new Site()
                        .wire(wire)
                        .filter(new HangupFilter(hangup))
                        .servlet("/gate", gate)
                        .servlet("/at-once", new EchoServlet()));
                RawClient staying = RawClient.connect(container, wire).get("/gate")) {
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(1));
            leave(container, wire, gate, RawClient::close, CancelReason.CALLER_CLOSED, CancelReason.CALLER_RESET);
            leave(container, wire, gate, RawClient::cut, CancelReason.CALLER_CLOSED, CancelReason.CALLER_RESET);
            leave(container, wire, gate, RawClient::fin, CancelReason.CALLER_CLOSED);
            leave(container, wire, gate, RawClient::rst, CancelReason.CALLER_RESET);
            assertThat(gate.interrupted).hasValue(4 * EACH);
            assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(4 * EACH);
            for (Unwatched cause : Arrays.asList(Unwatched.values())) {
                assertThat(ledger.of(cause)).as("%s", cause).isZero();
            }
            gate.open();
            assertThat(staying.response().body()).isEqualTo("opened");
            assertThat(staying.get("/at-once").response().body()).isEqualTo("GET /at-once ");
            logged.assertNoAlarms();
        }
    }

    /**
     * Every second one on a connection that has served before.
     *
     * @param reasons what it may be taken for: a kernel resets a connection that is closed before its session tickets were read
     */
    private void leave(Container container, Wire wire, Gate gate, Departure departure, CancelReason... reasons)
            throws Exception {
        int before = seen(reasons);
        int interrupted = gate.interrupted.get();
        for (int i = 0; i < EACH; i++) {
            int entered = gate.entered.get();
            RawClient leaving = RawClient.connect(container, wire);
            if (i % 2 == 0) {
                assertThat(leaving.get("/at-once").response().status()).isEqualTo(200);
            }
            leaving.get("/gate");
            await().pollInterval(Duration.ofMillis(5)).until(() -> gate.entered.get() == entered + 1);
            Thread.sleep(2L * i); // before its grace is over, and after
            departure.by(leaving);
        }
        await().atMost(SOON).untilAsserted(() -> assertThat(gate.interrupted).hasValue(interrupted + EACH));
        await().untilAsserted(() -> assertThat(seen(reasons)).isEqualTo(before + EACH));
    }

    private int seen(CancelReason... reasons) {
        return Stream.of(reasons).mapToInt(ledger::of).sum();
    }

    /** TLS 1.3 lets one side close and go on listening (RFC 8446 section 6.1). */
    @ParameterizedTest(name = "{0}")
    @CsvSource({"JETTY", "TOMCAT"})
    void halfCloseIsToleratedWhereThePolicySaysSo(ContainerKind kind) throws Exception {
        AtomicInteger interrupted = new AtomicInteger();
        LambdaServlet slow = new LambdaServlet((request, response) -> {
            try {
                Thread.sleep(600);
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
            }
            response.getOutputStream().print("here you are");
        });
        try (Hangup hangup = hangup(HalfClose.TOLERATE);
                Container container = kind.start(new Site()
                        .wire(Wire.TLS)
                        .filter(new HangupFilter(hangup))
                        .servlet("/slow", slow));
                RawClient client = RawClient.connect(container, Wire.TLS).get("/slow")) {
            Thread.sleep(100);
            client.fin();
            assertThat(client.response().body()).isEqualTo("here you are");
            assertThat(interrupted).hasValue(0);
            assertThat(ledger.departures()).isZero();
        }
    }
}
