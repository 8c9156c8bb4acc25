package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The wall clock jumps by an hour, forwards and back, while calls are under way: their deadlines stay where they were, and the next
 * calls have those of the new hour. That nothing but the windows reads that clock is the ArchitectureTest's to see.
 */
final class WallClockIT {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MUCH_LATER = Duration.ofSeconds(40);
    private static final Instant NOON = Instant.parse("2026-02-03T12:30:00Z");

    /** One for each answer: the common pool has one or two. */
    private static final Executor THREADS = task -> new Thread(task, "answer").start();

    private volatile Instant now = NOON;

    /** At noon a short deadline for one and a long one for the other; an hour later, or earlier, the other way round. */
    private final Policy policy = PolicyFile.parse("hangup.yaml", """
                    windows: { noon: { hours: 12 } }
                    deadlines:
                      endpoints:
                        "GET /one":   { mode: cancel, normal: 60s, noon: 1500ms }
                        "GET /other": { mode: cancel, normal: 1500ms, noon: 60s }
                    """).policy(() -> now);

    private final AtomicInteger begun = new AtomicInteger();
    private final List<CompletableFuture<RawResponse>> brief = new ArrayList<>();
    private final List<CompletableFuture<RawResponse>> patient = new ArrayList<>();

    @EachContainer
    void changesTheDeadlinesOfTheNextCallsOnly(ContainerKind kind) throws Exception {
        LambdaServlet work = new LambdaServlet((request, response) -> {
            begun.incrementAndGet();
            Thread.sleep(5_000);
            response.getWriter().print("done");
        });
        try (Stage stage =
                Stage.start(kind, policy, new Site().servlet("/one", work).servlet("/other", work))) {
            long start = System.nanoTime();
            ask(stage, "/one", "/other");
            now = NOON.plus(HOUR);
            ask(stage, "/other", "/one");
            now = NOON.minus(HOUR);
            ask(stage, "/other", "/one");
            now = NOON;

            for (CompletableFuture<RawResponse> answer : brief) {
                assertThat(answer.get(60, TimeUnit.SECONDS).status()).isEqualTo(504);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(MUCH_LATER);
            for (CompletableFuture<RawResponse> answer : patient) {
                assertThat(answer.get(60, TimeUnit.SECONDS).body()).isEqualTo("done");
            }
        }
    }

    /** Returns when both are under way. */
    private void ask(Stage stage, String brief, String patient) throws IOException {
        int before = begun.get();
        this.brief.add(answer(stage.client().get(brief)));
        this.patient.add(answer(stage.client().get(patient)));
        await().until(() -> begun.get() == before + 2);
    }

    private static CompletableFuture<RawResponse> answer(RawClient client) throws IOException {
        RawClient waiting = client.patience(MUCH_LATER);
        return CompletableFuture.supplyAsync(
                () -> {
                    try (waiting) {
                        return waiting.response();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                THREADS);
    }
}
