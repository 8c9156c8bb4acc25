package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.policy.Entry;
import dev.hangup.policy.HalfClose;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Records that carry nothing for the application, from callers who stay. Whoever decodes them early makes the engine answer, in
 * the middle of the response; so nobody does.
 */
final class TlsRecordsIT {

    private static final int CALLERS = 8;
    private static final int PIECES = 600;
    private static final int PIECE = 997;
    private static final int UPDATES = 20;

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /observed", Entry.of(Mode.OBSERVE))
            .endpoint("GET /cancelled", Entry.of(Mode.CANCEL))
            .endpoint("GET /tolerated", Entry.of(Mode.CANCEL).halfClose(HalfClose.TOLERATE))
            .endpoint("GET /leave", Entry.of(Mode.CANCEL))
            .build();

    private final Ledger ledger = new Ledger();
    private final Gate gate = new Gate();
    private final Gate left = new Gate();

    private Container start(ContainerKind kind, Wire wire, Hangup hangup) {
        return kind.start(new Site()
                .wire(wire)
                .filter(new HangupFilter(hangup))
                .servlet("/observed/stream", new LambdaServlet(TlsRecordsIT::stream))
                .servlet("/observed", gate)
                .servlet("/cancelled", new LambdaServlet(TlsRecordsIT::stream))
                .servlet("/tolerated", gate)
                .servlet("/leave", left));
    }

    /** Whole blocks and small ones, so that the container writes to the engine nearly all the time. */
    private static void stream(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        byte[] piece = new byte[PIECE];
        Arrays.fill(piece, (byte) '#');
        for (int i = 0; i < PIECES; i++) {
            response.getOutputStream().write(piece);
            if (i % 3 == 0) {
                response.flushBuffer();
            }
            if (i % 5 == 0) {
                Thread.sleep(1);
            }
        }
    }

    /** TLS 1.3: the client changes its keys and asks the server to do so, too (RFC 8446 section 4.6.3). */
    @ParameterizedTest(name = "{0}")
    @CsvSource({"JETTY", "TOMCAT"})
    void keyUpdateInAStreamedAnswerLeavesItWhole(ContainerKind kind) throws Exception {
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = start(kind, Wire.TLS, hangup)) {
            RawClient leaving = RawClient.connect(container, Wire.TLS).get("/leave");
            await().untilAsserted(() -> assertThat(left.entered).hasValue(1));
            Crowd.of(CALLERS, number -> {
                String path = number % 2 == 0 ? "/cancelled" : "/observed/stream";
                try (RawClient caller = RawClient.connect(container, Wire.TLS).get(path)) {
                    Thread updates = new Thread(() -> update(caller), "key-updates");
                    updates.start();
                    assertThat(caller.response().body()).hasSize(PIECES * PIECE).matches("#*");
                    updates.join();
                }
            });
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(CALLERS));
            assertThat(ledger.departures()).as("%s", ledger).isZero();
            leaving.close();
            await().untilAsserted(() -> assertThat(left.interrupted).hasValue(1));
            logged.assertNoAlarms();
        }
    }

    private static void update(RawClient caller) {
        try {
            for (int i = 0; i < UPDATES; i++) {
                Thread.sleep(7);
                caller.updateKeys();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // the answer is cut, and its reader says so
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** With TLS 1.2, too, where a close_notify that is read closes the engine for both directions (RFC 5246 section 7.2.1). */
    @ParameterizedTest(name = "{0} over {1}, {2}")
    @CsvSource({
        "JETTY, TLS, /observed",
        "JETTY, TLS_12, /observed",
        "JETTY, TLS, /tolerated",
        "JETTY, TLS_12, /tolerated",
        "TOMCAT, TLS, /observed",
        "TOMCAT, TLS_12, /observed",
        "TOMCAT, TLS, /tolerated",
        "TOMCAT, TLS_12, /tolerated"
    })
    void whoSaysCloseNotifyAndListensIsAnswered(ContainerKind kind, Wire wire, String path) throws Exception {
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = start(kind, wire, hangup);
                RawClient listening = RawClient.connect(container, wire).get(path)) {
            RawClient leaving = RawClient.connect(container, wire).get("/leave");
            await().untilAsserted(() ->
                    assertThat(gate.entered.get() + left.entered.get()).isEqualTo(2));
            listening.fin();
            // Longer than the table's pause, and that between two looks at a half-closed connection.
            Thread.sleep(600);
            leaving.close();
            await().untilAsserted(() -> assertThat(left.interrupted).hasValue(1));
            gate.open();
            assertThat(listening.response().body()).isEqualTo("opened");
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(2));
            // To the endpoint that does not tolerate it, this was a departure; it counts it and lets the work go on.
            assertThat(ledger.departures()).isEqualTo(path.equals("/tolerated") ? 1 : 2);
            logged.assertNoAlarms();
        }
    }
}
