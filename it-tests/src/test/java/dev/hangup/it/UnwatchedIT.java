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
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Callers that cannot be watched: counted with their cause, said once, and their deadlines hold. */
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

    @Test
    void ajpIsCountedAndItsDeadlineHolds() throws Exception {
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = ContainerKind.TOMCAT.start(new Site()
                        .wire(Wire.AJP)
                        .filter(new HangupFilter(hangup))
                        .servlet("/at-once", new EchoServlet())
                        .servlet("/*", servlet));
                AjpClient staying = AjpClient.connect(container)) {
            assertThat(staying.get("/at-once")).isEqualTo("200 GET /at-once ");
            for (int i = 1; i <= 2; i++) {
                assertThat(staying.get("/late")).startsWith("504 {\"type\"");
                assertThat(calls.take().caller()).isEqualTo(CallerState.UNKNOWN);
                assertThat(ledger.of(Unwatched.AJP)).isEqualTo(i);
            }
            AjpClient leaving = AjpClient.connect(container).send("/late");
            Call call = calls.poll(5, TimeUnit.SECONDS);
            leaving.close();
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(3));
            assertThat(call).isNotNull();
            assertThat(call.cancelReason()).hasValue(CancelReason.ENDPOINT_DEADLINE);
            assertCounted(Unwatched.AJP, 3);
            assertThat(logged.ours())
                    .filteredOn(line -> line.startsWith("callers that cannot be watched (AJP)"))
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
