package dev.hangup.it;

import static dev.hangup.it.Scrape.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/**
 * Cancel after cancel of workers that are all the time in and out of the container's writes: those of small pieces mostly on
 * their way, those of large ones soon blocked, because nobody reads.
 */
final class ManyCancelsIT {

    private static final int AT_ONCE = 20;
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ofMillis(10)))
            .endpoint("GET /stream", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(30)))
            .build();

    @EachContainer
    @DisplayName("case 40: after many cancels in the midst of the container's I/O the server still accepts")
    void theServerStillAccepts(ContainerKind kind) throws IOException {
        theServerStillAccepts(kind, 200);
    }

    @EachContainer
    @Tag("soak")
    @DisplayName("case 40: after ten thousand cancels in the midst of the container's I/O the server still accepts")
    void theServerStillAcceptsAfterTenThousand(ContainerKind kind) throws IOException {
        theServerStillAccepts(kind, 10_000);
    }

    private static void theServerStillAccepts(ContainerKind kind, int cancels) throws IOException {
        AtomicInteger streaming = new AtomicInteger();
        Site site = new Site()
                .maxThreads(AT_ONCE + 2)
                .servlet("/stream", new LambdaServlet((request, response) -> {
                    byte[] piece = new byte[Integer.parseInt(request.getQueryString())];
                    streaming.incrementAndGet();
                    while (true) {
                        response.getOutputStream().write(piece);
                        response.flushBuffer();
                    }
                }))
                .servlet("/ping", new LambdaServlet((request, response) -> response.getWriter()
                        .print("pong")));
        try (Silence silence = Silence.ofContainers();
                Stage stage = Stage.start(kind, POLICY, site)) {
            for (int done = 0; done < cancels; done += AT_ONCE) {
                int before = done;
                RawClient witness = stage.client();
                assertThat(witness.get("/ping").response().body()).isEqualTo("pong");
                List<RawClient> callers = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    callers.add(stage.client().get("/stream?" + (64 << i % 8)));
                }
                quickly(() -> streaming.get() == before + AT_ONCE);
                for (RawClient caller : callers) {
                    caller.fin();
                }
                quickly(() -> stage.turnstile.inside() == 0);
                for (RawClient caller : callers) {
                    caller.close();
                }
                try (witness;
                        RawClient fresh = stage.client()) {
                    assertThat(witness.get("/ping").response().body()).isEqualTo("pong");
                    assertThat(fresh.get("/ping").response().body()).isEqualTo("pong");
                }
            }
            assertThat(stage.turnstile.interrupted).hasValue(0);
            assertThat(stage.scrape().count("hangup_calls_total", outcome("cancelled")))
                    .isEqualTo(cancels);
        }
    }

    private static void quickly(Callable<Boolean> condition) {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5)).until(condition);
    }
}
