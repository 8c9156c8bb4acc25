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
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An asynchronous answer, of which the container sends the last byte before it tells its listeners: its readers hang up in between. */
@EachLine
final class WholeAsyncAnswerIT {

    private static final int CALLERS = 10;
    private static final int ROUNDS = 8;
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /observed", Entry.of(Mode.OBSERVE))
            .endpoint("GET /cancelled", Entry.of(Mode.CANCEL))
            .build();

    private final Ledger ledger = new Ledger();

    private static void later(HttpServletRequest request, HttpServletResponse response) {
        AsyncContext async = request.startAsync();
        CompletableFuture.delayedExecutor(60, TimeUnit.MILLISECONDS).execute(() -> {
            try {
                response.getOutputStream().print("x".repeat(3_000));
            } catch (IOException e) {
                return; // the leaving one's call was cancelled; anybody else will miss the answer
            }
            async.complete();
        });
    }

    @ParameterizedTest(name = "{0} over {1}, {2}")
    @CsvSource({
        "JETTY, PLAIN, /observed",
        "JETTY, PLAIN, /cancelled",
        "JETTY, TLS, /observed",
        "JETTY, TLS, /cancelled",
        "TOMCAT, PLAIN, /observed",
        "TOMCAT, PLAIN, /cancelled",
        "TOMCAT, TLS, /observed",
        "TOMCAT, TLS, /cancelled"
    })
    void whoHasReadItHasNotLeft(ContainerKind kind, Wire wire, String path) throws Exception {
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(new Site()
                        .wire(wire)
                        .filter(new HangupFilter(hangup))
                        .servlet(path, new LambdaServlet(WholeAsyncAnswerIT::later)))) {
            Crowd.of(CALLERS, number -> {
                for (int round = 0; round < ROUNDS; round++) {
                    try (RawClient caller = RawClient.connect(container, wire)) {
                        String[] keep = round % 2 == 0 ? new String[0] : new String[] {"Connection: close"};
                        assertThat(caller.get(path, keep).response().body()).hasSize(3_000);
                    }
                }
            });
            int calls = CALLERS * ROUNDS;
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(calls));
            assertThat(ledger.departures()).as("%s", ledger).isZero();
            assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(calls);

            RawClient leaving = RawClient.connect(container, wire).get(path);
            Thread.sleep(5);
            leaving.close();
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(calls + 1));
            if (wire == Wire.PLAIN) { // over TLS only the table knows, a quarter of a second later
                assertThat(ledger.departures()).as("%s", ledger).isEqualTo(1);
            }
        }
    }

    /**
     * Over HTTP/2 the connection is cut, which is a departure of all its streams that still wait. Jetty may find it cut before it
     * hears that its last write is through, and takes that for a write that failed: now and then an observed caller counts as gone.
     */
    @ParameterizedTest(name = "{0} over {1}, {2}")
    @CsvSource({
        "JETTY, H2C, /observed",
        "JETTY, H2C, /cancelled",
        "JETTY, H2, /observed",
        "JETTY, H2, /cancelled",
        "TOMCAT, H2C, /observed",
        "TOMCAT, H2C, /cancelled",
        "TOMCAT, H2, /observed",
        "TOMCAT, H2, /cancelled"
    })
    void whoHasReadItMayCutTheConnection(ContainerKind kind, Wire wire, String path) throws Exception {
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(new Site()
                        .wire(wire)
                        .filter(new HangupFilter(hangup))
                        .servlet(path, new LambdaServlet(WholeAsyncAnswerIT::later)))) {
            Crowd.of(CALLERS, number -> {
                for (int round = 0; round < ROUNDS; round++) {
                    try (H2Client caller = H2Client.connect(container, wire)) {
                        assertThat(caller.get(path).outcome()).isEqualTo("200 " + "x".repeat(3_000));
                        caller.cut();
                    }
                }
            });
            int calls = CALLERS * ROUNDS;
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(calls));
            int mistaken = kind == ContainerKind.JETTY && path.equals("/observed") ? calls / 10 : 0;
            assertThat(ledger.departures()).as("%s", ledger).isLessThanOrEqualTo(mistaken);
            assertThat(ledger.ended(Outcome.COMPLETED)).isGreaterThanOrEqualTo(calls - mistaken);
        }
    }
}
