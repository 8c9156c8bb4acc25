package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.call.CallerState;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.call.Unwatched;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Callers that cannot be watched yet: counted with their cause, said once, and their deadlines hold. */
final class UnwatchedIT {

    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /late", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(400)))
            .build();

    private final Ledger ledger = new Ledger();
    private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    private final LambdaServlet servlet = new LambdaServlet((request, response) -> {
        calls.add(Call.current());
        NEVER.await();
    });

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, TLS, TLS", "TOMCAT, TLS, TLS"})
    void isCountedAndItsDeadlineHolds(ContainerKind kind, Wire wire, Unwatched cause) throws Exception {
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(
                        new Site().wire(wire).filter(new HangupFilter(hangup)).servlet("/*", servlet));
                RawClient staying = RawClient.connect(container, wire)) {
            for (int i = 1; i <= 2; i++) {
                assertThat(staying.get("/late").response().status()).isEqualTo(504);
                Call call = calls.take();
                assertThat(call.caller()).isEqualTo(CallerState.UNKNOWN);
                assertThat(ledger.of(cause)).isEqualTo(i);
            }
            RawClient leaving = RawClient.connect(container, wire).get("/late");
            Call call = calls.poll(5, TimeUnit.SECONDS);
            leaving.close();
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(3));
            assertThat(call).isNotNull();
            assertThat(call.cancelReason()).hasValue(CancelReason.ENDPOINT_DEADLINE);
            assertCounted(cause, 3);
            assertThat(logged.ours())
                    .filteredOn(line -> line.startsWith("callers that cannot be watched (" + cause + ")"))
                    .hasSize(1);
            logged.assertNoAlarms();
        }
    }

    @Test
    void http2IsCountedAndItsDeadlineHolds() throws Exception {
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = ContainerKind.TOMCAT.start(new Site()
                        .wire(Wire.H2C)
                        .filter(new HangupFilter(hangup))
                        .servlet("/*", servlet))) {
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + container.port() + "/late"))
                    .build();
            for (int i = 1; i <= 3; i++) {
                HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
                assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
                assertThat(response.statusCode()).isEqualTo(504);
                assertThat(response.body()).startsWith("{\"type\"");
            }
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(3));
            assertCounted(Unwatched.HTTP_2, 3);
            assertThat(logged.ours())
                    .filteredOn(line -> line.startsWith("callers that cannot be watched (HTTP_2)"))
                    .hasSize(1);
            logged.assertNoAlarms();
        }
    }

    private void assertCounted(Unwatched cause, int times) {
        for (Unwatched other : Arrays.asList(Unwatched.values())) {
            assertThat(ledger.of(other)).as("%s", other).isEqualTo(other == cause ? times : 0);
        }
        assertThat(ledger.departures()).isZero();
    }
}
