package dev.hangup.it;

import static dev.hangup.it.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;

/** All workers in something that nothing can interrupt: their callers are told, and an operator sees it. */
final class Case09IT {

    private static final int CALLERS = 6;
    private static final Duration DEADLINE = Duration.ofMillis(500);
    private static final Duration ESCALATION = Duration.ofMillis(500);
    private static final Policy POLICY = Policy.builder()
            .endpoint(
                    "GET /deaf",
                    Entry.of(Mode.CANCEL)
                            .normal(DEADLINE)
                            .escalateAfter(ESCALATION)
                            .stuckAfter(Duration.ofMillis(800)))
            .build();

    private final AtomicInteger entered = new AtomicInteger();
    private final CountDownLatch end = new CountDownLatch(1);

    /** Or they would go on, whatever else has failed. */
    @AfterEach
    void letThemGo() {
        end.countDown();
    }

    @EachContainer
    @DisplayName(
            "case 9: callers of stuck work see their connection end; stuck calls and the pool's share are counted until it ends")
    void callersAreToldAndStuckWorkIsCounted(ContainerKind kind) throws Exception {
        Site site = new Site().servlet("/deaf", new LambdaServlet((request, response) -> {
            entered.incrementAndGet();
            while (end.getCount() > 0) {
                LockSupport.parkNanos(1_000_000); // and an interrupt changes nothing
            }
        }));
        try (Logged logged = Logged.begin();
                Stage stage = Stage.start(kind, POLICY, site)) {
            long began = System.nanoTime();
            Crowd.of(CALLERS, number -> {
                try (RawClient client = stage.client().get("/deaf")) {
                    assertThat(client.endsWithin(Duration.ofSeconds(10))).isTrue();
                }
            });
            Duration told = Duration.ofNanos(System.nanoTime() - began);
            assertThat(told).isGreaterThan(DEADLINE.plus(ESCALATION).minusMillis(50));
            assertThat(entered).hasValue(CALLERS);
            await().untilAsserted(() -> {
                Scrape scrape = stage.scrape();
                assertThat(scrape.count("hangup_stuck_calls")).isEqualTo(CALLERS);
                double size = scrape.sum("hangup_pool_size", label("pool", "workers"));
                assertThat(scrape.sum("hangup_pool_share", label("pool", "workers")))
                        .isCloseTo(CALLERS / size, within(0.001));
            });
            await().untilAsserted(() -> assertThat(logged.alarms()).hasSize(CALLERS));
            assertThat(logged.alarms())
                    .allMatch(line -> line.startsWith(
                            "WARNING dev.hangup: GET /deaf was cancelled (ENDPOINT_DEADLINE) but still works after "))
                    .allMatch(line -> line.contains("Case09IT"));
            end.countDown();
            await().untilAsserted(() -> {
                assertThat(stage.scrape().momentary())
                        .allSatisfy((name, value) -> assertThat(value).isZero());
                assertThat(stage.container.busyWorkers()).isZero();
            });
            assertThat(logged.alarms()).as("told once").hasSize(CALLERS);
        }
    }
}
