package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.call.CallCancelledException;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;

/** In which words a cancel is told: to the application, and to whoever reads its log. */
@EachLine
final class WordsIT {

    private static final Duration DEADLINE = Duration.ofMillis(200);
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /wait", Entry.of(Mode.CANCEL))
            .endpoint("GET /late", Entry.of(Mode.CANCEL).normal(DEADLINE))
            .build();

    @EachContainer
    @DisplayName("case 31: the cancel's exception names method, route, reason and time, and no query")
    void exceptionNamesTheRequest(ContainerKind kind) throws Exception {
        CompletableFuture<CallCancelledException> thrown = new CompletableFuture<>();
        CompletableFuture<Duration> remaining = new CompletableFuture<>();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            try {
                while (true) {
                    Call.current().throwIfCancelled();
                    Thread.onSpinWait();
                }
            } catch (CallCancelledException e) {
                thrown.complete(e);
                remaining.complete(Call.current().deadline().remaining());
                throw e;
            }
        });
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/late", servlet))) {
            assertThat(RawClient.ask(container, "/late?token=secret").status()).isEqualTo(504);
            CallCancelledException e = thrown.get(5, TimeUnit.SECONDS);
            assertThat(e.getMessage())
                    .contains("GET /late", "ENDPOINT_DEADLINE")
                    .containsPattern("after [0-9]+\\.[0-9]{3} s")
                    .doesNotContain("secret", "-");
            assertThat(e.elapsed()).isGreaterThanOrEqualTo(DEADLINE);
            assertThat(remaining.get()).isZero();
            logged.assertNoAlarms();
        }
    }

    @EachContainer
    @DisplayName("case 28: a departure is one line at DEBUG, with route, reason and time")
    void departureIsOneLineAtDebug(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        CountDownLatch entered = new CountDownLatch(1);
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            entered.countDown();
            try {
                NEVER.await();
            } finally {
                response.getWriter().print("cleaning up"); // nobody reads it
                response.flushBuffer();
            }
        });
        try (Logged logged = Logged.debugging();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/wait", servlet))) {
            RawClient client = RawClient.connect(container).get("/wait?token=secret");
            assertThat(entered.await(5, TimeUnit.SECONDS)).isTrue();
            client.close();
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(1));
            await().untilAsserted(() -> assertThat(logged.ours())
                    .filteredOn(line -> line.startsWith("GET /wait"))
                    .hasSize(1)
                    .allMatch(line ->
                            line.matches("GET /wait cancelled CALLER_CLOSED after [0-9.]+ s, unowned for [0-9.]+ s")));
            logged.assertNoAlarms();
        }
    }
}
