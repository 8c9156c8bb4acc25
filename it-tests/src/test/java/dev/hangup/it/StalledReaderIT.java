package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CancelReason;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;

/** A caller that does not read holds the worker in the container's write, where no interrupt reaches it. */
final class StalledReaderIT {

    private static final Duration DEADLINE = Duration.ofMillis(500);
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /stalled", Entry.of(Mode.CANCEL).normal(DEADLINE))
            .build();

    @EachContainer
    @DisplayName("case 69: a worker in a blocked write is freed at its deadline")
    void workerInABlockedWriteIsFreedAtTheDeadline(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        CompletableFuture<IOException> failure = new CompletableFuture<>();
        LambdaServlet servlet = new LambdaServlet((request, response) -> pour(response, failure));
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet));
                RawClient client = RawClient.connect(container).get("/stalled")) {
            await().untilAsserted(() ->
                    assertThat(ledger.cancelled(CancelReason.ENDPOINT_DEADLINE)).isEqualTo(1));
            await().atMost(Duration.ofMillis(500)).until(failure::isDone);
            await().untilAsserted(() -> assertThat(container.busyWorkers()).isZero());
            assertThatThrownBy(client::response).isInstanceOf(IOException.class);
            logged.assertNoAlarms();
        }
    }

    @EachContainer
    void soIsTheApplicationsOwnThreadOfAnAsynchronousRequest(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        CompletableFuture<IOException> failure = new CompletableFuture<>();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            new Thread(() -> pour(async.getResponse(), failure)).start();
        });
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet));
                RawClient client = RawClient.connect(container).get("/stalled")) {
            await().untilAsserted(() ->
                    assertThat(ledger.cancelled(CancelReason.ENDPOINT_DEADLINE)).isEqualTo(1));
            await().atMost(Duration.ofMillis(500)).until(failure::isDone);
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(1));
            assertThatThrownBy(client::response).isInstanceOf(IOException.class);
            logged.assertNoAlarms();
        }
    }

    /** More than any buffer on the way holds. */
    private static void pour(ServletResponse response, CompletableFuture<IOException> failure) {
        try {
            byte[] bytes = new byte[100_000];
            for (int i = 0; i < 500; i++) {
                response.getOutputStream().write(bytes);
            }
        } catch (IOException e) {
            failure.complete(e);
        }
    }
}
