package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/**
 * Streams are reset while threads of the application's write, and complete for that. Now and then (some of a thousand on Jetty, at
 * load) the container tells no listener that such a response is over; its call ends all the same.
 */
final class ForgottenEndIT {
    private static final int AT_ONCE = 8;

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /chunks", Entry.of(Mode.CANCEL).normal(Duration.ofMinutes(2)))
            .build();

    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final AtomicInteger begun = new AtomicInteger();

    @AfterEach
    void end() {
        pool.shutdownNow();
    }

    @EachContainer
    void everyCallEnds(ContainerKind kind) throws Exception {
        reset(kind, 15);
    }

    @EachContainer
    @Tag("soak")
    void everyCallOfManyEnds(ContainerKind kind) throws Exception {
        reset(kind, 250);
    }

    private void reset(ContainerKind kind, int rounds) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        LambdaServlet chunks = new LambdaServlet((request, response) -> {
            AsyncContext context = request.startAsync();
            context.setTimeout(0);
            long late = random.nextInt(1_000_000);
            pool.execute(() -> {
                begun.incrementAndGet();
                write(response);
                LockSupport.parkNanos(late);
                complete(context);
            });
        });
        Site site = new Site().wire(Wire.H2C).resetsUnlimited().servlet("/chunks", chunks);
        try (Stage stage = Stage.start(kind, POLICY, site);
                H2Client client = H2Client.connect(stage.container, Wire.H2C)) {
            for (int i = 0; i < rounds; i++) {
                int all = (i + 1) * AT_ONCE;
                List<H2Exchange> streams = new ArrayList<>();
                for (int j = 0; j < AT_ONCE; j++) {
                    streams.add(client.get("/chunks"));
                }
                await().until(() -> begun.get() == all);
                Thread.sleep(random.nextInt(10)); // they write
                for (H2Exchange stream : streams) {
                    stream.reset();
                }
                await().untilAsserted(() -> assertThat(stage.scrape().count("hangup_calls_total"))
                        .as("after %d streams, seed %d", all, seed)
                        .isEqualTo(all));
            }
            assertThat(stage.scrape().momentary().values()).containsOnly(0.0);
        }
    }

    private static void complete(AsyncContext context) {
        try {
            context.complete();
        } catch (IllegalStateException over) {
            // the container has ended it
        }
    }

    /** Until somebody refuses it. */
    private static void write(ServletResponse response) {
        try {
            while (true) {
                response.getOutputStream().print("chunk");
                response.flushBuffer();
            }
        } catch (IOException over) {
            // the caller has left, or the call is cancelled
        }
    }
}
