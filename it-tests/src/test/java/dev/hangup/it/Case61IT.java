package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;

/** The application stops while some work for nobody and some are waited for. */
final class Case61IT {

    private static final int ABANDONED = 5;
    private static final Duration DRAIN = Duration.ofMillis(1500);
    /** Lets one departure of ten be cancelled: the rest works on for nobody. */
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS
                    .withDrain(DRAIN)
                    .withEscalateAfter(Duration.ofMillis(600))
                    .withMaxCancelShare(0.01))
            .endpoint("GET /abandoned", Entry.of(Mode.CANCEL))
            .endpoint("GET /waited-for", Entry.of(Mode.CANCEL))
            .endpoint("GET /deaf", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(200)))
            .build();

    private final Ledger ledger = new Ledger();
    private final Map<Thread, AtomicInteger> interrupts = new ConcurrentHashMap<>();
    private final CountDownLatch end = new CountDownLatch(1);

    @EachContainer
    @DisplayName("case 61: abandoned work is cancelled at once, who waits gets the drain time")
    void abandonedWorkIsNotWaitedFor(ContainerKind kind) throws Exception {
        Gate abandoned = new Gate();
        Gate waitedFor = new Gate();
        Site site = new Site().servlet("/abandoned", abandoned).servlet("/waited-for", waitedFor);
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(site.filter(new HangupFilter(hangup)));
                RawClient patient = RawClient.connect(container).get("/waited-for")) {
            List<RawClient> leaving = new ArrayList<>();
            for (int i = 0; i <= ABANDONED; i++) {
                leaving.add(RawClient.connect(container).get("/abandoned"));
            }
            await().until(() -> abandoned.entered.get() == ABANDONED + 1 && waitedFor.entered.get() == 1);
            for (RawClient client : leaving) {
                client.close();
            }
            await().until(() -> ledger.departures() == ABANDONED + 1);
            assertThat(ledger.cancelled(CancelReason.CALLER_CLOSED))
                    .as("the valve is shut")
                    .isEqualTo(1);

            Thread closer = new Thread(hangup::close);
            long began = System.nanoTime();
            closer.start();
            await().pollInterval(Duration.ofMillis(10))
                    .untilAsserted(() ->
                            assertThat(ledger.cancelled(CancelReason.SHUTDOWN)).isEqualTo(ABANDONED));
            await().until(() -> abandoned.interrupted.get() == ABANDONED + 1);
            assertThat(System.nanoTime() - began).isLessThan(DRAIN.toNanos());
            waitedFor.open();
            assertThat(patient.response().body()).isEqualTo("opened");
            closer.join(10_000);
            assertThat(closer.isAlive()).isFalse();
            assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(1);
            assertThat(ledger.cancelled(CancelReason.SHUTDOWN)).isEqualTo(ABANDONED);
        }
    }

    /** Work that answers no interrupt is interrupted as its ladder says, and not once more for the shutdown, however often that is told. */
    @EachContainer
    void noSecondInterruptStorm(ContainerKind kind) throws Exception {
        Site site = new Site().servlet("/deaf", new LambdaServlet(this::deaf));
        try (Silence silence = Silence.ofContainers();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(site.filter(new HangupFilter(hangup)))) {
            RawClient late = RawClient.connect(container).get("/deaf");
            await().until(() -> ledger.cancelled(CancelReason.ENDPOINT_DEADLINE) == 1);
            await().untilAsserted(() ->
                    assertThat(interrupts.values()).singleElement().hasToString("2"));
            hangup.close();
            hangup.close();
            assertThat(ledger.ended()).as("it still works").isZero();
            assertThat(interrupts.values()).singleElement().hasToString("2");
            assertThat(ledger.cancelled(CancelReason.SHUTDOWN)).isZero();
            end.countDown();
            await().until(() -> ledger.ended() == 1);
            late.close();
        }
    }

    private void deaf(HttpServletRequest request, HttpServletResponse response) {
        AtomicInteger seen = interrupts.computeIfAbsent(Thread.currentThread(), thread -> new AtomicInteger());
        while (end.getCount() > 0) {
            LockSupport.parkNanos(1_000_000);
            if (Thread.interrupted()) {
                seen.incrementAndGet();
            }
        }
    }
}
