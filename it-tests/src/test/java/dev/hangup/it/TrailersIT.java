package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Behind a chunked body's last chunk its reader waits for the trailers (RFC 9112 section 7.1.2): it may still take bytes from under the watch. */
@EachLine
final class TrailersIT {

    private static final int CALLERS = 16;
    private static final int TRAILERS = 8;
    private static final String CHUNKED = "Transfer-Encoding: chunked";

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("POST /cancelled", Entry.of(Mode.CANCEL))
            .endpoint("POST /observed", Entry.of(Mode.OBSERVE))
            .build();

    private final Ledger ledger = new Ledger();
    private final AtomicInteger failed = new AtomicInteger();

    private void read(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            int length = request.getInputStream().readAllBytes().length;
            response.getOutputStream().print("read " + length);
        } catch (IOException e) {
            failed.incrementAndGet();
            throw e;
        }
    }

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, PLAIN", "JETTY, TLS", "TOMCAT, PLAIN", "TOMCAT, TLS", "TOMCAT, NIO2"})
    void whoSendsThemSlowlyStaysAndWhoEndsWithinThemHasLeft(ContainerKind kind, Wire wire) throws Exception {
        try (Silence silence = Silence.ofContainers();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(new Site()
                        .wire(wire)
                        .filter(new HangupFilter(hangup))
                        .servlet("/cancelled", new LambdaServlet(this::read))
                        .servlet("/observed", new LambdaServlet(this::read)))) {
            Crowd.of(CALLERS, number -> {
                String path = number % 2 == 0 ? "/cancelled" : "/observed";
                try (RawClient caller = RawClient.connect(container, wire)) {
                    caller.send(RawClient.head("POST", path, CHUNKED) + "\r\n3\r\nabc\r\n");
                    Thread.sleep(20);
                    caller.send("0\r\n");
                    for (int i = 0; i < TRAILERS; i++) {
                        Thread.sleep(20 + number);
                        caller.send("X-Trailer-" + i + ": v\r\n");
                    }
                    Thread.sleep(20);
                    assertThat(caller.send("\r\n").response().body()).isEqualTo("read 3");
                }
            });
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(CALLERS));
            assertThat(ledger.departures()).as("%s", ledger).isZero();

            RawClient leaving = RawClient.connect(container, wire);
            leaving.send(RawClient.head("POST", "/cancelled", CHUNKED) + "\r\n3\r\nabc\r\n0\r\nX-Trai");
            Thread.sleep(100);
            leaving.close();
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(CALLERS + 1));
            assertThat(ledger.departures()).as("%s", ledger).isEqualTo(1);
            assertThat(failed).hasValue(1);
        }
    }
}
