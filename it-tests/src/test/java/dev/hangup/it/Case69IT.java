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
import dev.hangup.policy.Settings;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;

/** A caller that reads, but far too slowly, holds the worker in the container's write; no interrupt is what frees it. */
final class Case69IT {

    private static final Duration DEADLINE = Duration.ofMillis(1500);
    private static final int SIZE = 10_000_000;
    /** Long: what frees the worker is not the escalation. */
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withEscalateAfter(Duration.ofSeconds(60)))
            .endpoint("GET /interrupting", Entry.of(Mode.CANCEL).normal(DEADLINE))
            .endpoint("GET /gentle", Entry.of(Mode.CANCEL).normal(DEADLINE).interrupt(false))
            .build();

    @EachContainer
    @DisplayName("case 69: a slow reader costs its connection at the deadline, whether workers are interrupted or not")
    void theWorkerIsFreedAtTheDeadline(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        CompletableFuture<Long> freed = new CompletableFuture<>();
        CompletableFuture<Long> gentlyFreed = new CompletableFuture<>();
        Site site = new Site().servlet("/interrupting", pouring(freed)).servlet("/gentle", pouring(gentlyFreed));
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(site.filter(new HangupFilter(hangup)));
                RawClient one = RawClient.connect(container).get("/interrupting");
                RawClient other = RawClient.connect(container).get("/gentle")) {
            for (RawClient client : new RawClient[] {one, other}) {
                for (int lines = 0; lines < 6; lines++) {
                    client.line(); // the head and a little of the body
                }
            }
            for (CompletableFuture<Long> worker : List.of(freed, gentlyFreed)) {
                assertThat(Duration.ofNanos(worker.get(20, TimeUnit.SECONDS)))
                        .isBetween(DEADLINE.minusMillis(50), DEADLINE.plusSeconds(5));
            }
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(2));
            assertThat(ledger.cancelled(CancelReason.ENDPOINT_DEADLINE)).isEqualTo(2);
            for (RawClient client : new RawClient[] {one, other}) {
                assertThatThrownBy(() -> drain(client)).as("never whole").isInstanceOf(IOException.class);
            }
            logged.assertNoAlarms();
        }
    }

    /** To an end that is none: the connection's, before the last chunk. */
    private static void drain(RawClient client) throws IOException {
        String line;
        do {
            line = client.line();
        } while (!line.equals("0"));
    }

    /** Tells how long the worker was held; lines, so that a reader may take as few as it likes. */
    private static LambdaServlet pouring(CompletableFuture<Long> held) {
        return new LambdaServlet((request, response) -> {
            long began = System.nanoTime();
            byte[] lines = "a line of the answer\n".repeat(1000).getBytes(StandardCharsets.US_ASCII);
            try {
                ServletOutputStream out = response.getOutputStream();
                for (int sent = 0; sent < SIZE; sent += lines.length) {
                    out.write(lines);
                }
            } finally {
                held.complete(System.nanoTime() - began);
            }
        });
    }
}
