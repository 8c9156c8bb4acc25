package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** The engine is closed while calls are under way. */
final class ShutdownIT {

    private static final Duration DRAIN = Duration.ofMillis(800);
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withDrain(DRAIN))
            .endpoint("GET /gate", Entry.of(Mode.CANCEL))
            .endpoint("GET /quick", Entry.of(Mode.CANCEL))
            .endpoint("GET /detached", Entry.of(Mode.CANCEL))
            .endpoint("GET /observed", Entry.of(Mode.OBSERVE))
            .build();

    private final Ledger ledger = new Ledger();
    private final Gate gate = new Gate();

    /** Who waits for a short piece of work gets its answer; who waits for a long one does not; nobody waits for the third. */
    @EachContainer
    void whoWaitsIsDrainedAndWhoLeftIsNotWaitedFor(ContainerKind kind) throws Exception {
        CountDownLatch closing = new CountDownLatch(1);
        Site site = new Site()
                .servlet("/gate", gate)
                .servlet("/observed", gate)
                .servlet("/quick", new LambdaServlet((request, response) -> {
                    gate.entered.incrementAndGet();
                    closing.await();
                    Thread.sleep(200);
                    response.getWriter().print("in time");
                }));
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(site.filter(new HangupFilter(hangup)));
                RawClient quick = RawClient.connect(container).get("/quick");
                RawClient slow = RawClient.connect(container).get("/gate");
                RawClient observed = RawClient.connect(container).get("/observed")) {
            await().until(() -> gate.entered.get() == 3);
            Thread.sleep(200); // they are watched
            long began = System.nanoTime();
            Thread closer = new Thread(hangup::close);
            closer.start();
            closing.countDown();
            assertThat(quick.response().body()).isEqualTo("in time");
            RawResponse cutOff = slow.response();
            assertThat(cutOff.status()).isEqualTo(503);
            assertThat(cutOff.body()).contains(" s because the server is stopping\"");
            assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(DRAIN.toNanos());
            closer.join(10_000);
            assertThat(closer.isAlive()).isFalse();
            assertThat(ledger.cancelled(CancelReason.SHUTDOWN)).isEqualTo(1);
            assertThat(gate.interrupted).as("observed work is left alone").hasValue(1);
            gate.open();
            assertThat(observed.response().body()).isEqualTo("opened");
            await().untilAsserted(() -> assertThat(Threads.ofHangup()).isEmpty());
        }
    }

    @EachContainer
    void detachedWorkIsEndedByShutdownAlone(ContainerKind kind) throws Exception {
        AtomicInteger interrupted = new AtomicInteger();
        Site site = new Site().servlet("/detached", new LambdaServlet((request, response) -> {
            Call.current().detach();
            gate.entered.incrementAndGet();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
            }
        }));
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(site.filter(new HangupFilter(hangup)))) {
            RawClient leaving = RawClient.connect(container).get("/detached");
            await().until(() -> gate.entered.get() == 1);
            leaving.close();
            await().until(() -> ledger.departures() == 1);
            await().during(Duration.ofMillis(200)).until(() -> interrupted.get() == 0);
            hangup.close();
            assertThat(interrupted).hasValue(1);
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(1));
            assertThat(ledger.cancelled(CancelReason.SHUTDOWN)).isEqualTo(1);
        }
    }

    /** And what comes afterwards is none of its calls. */
    @EachContainer
    void anIdleEngineClosesAtOnce(ContainerKind kind) throws Exception {
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container =
                        kind.start(new Site().servlet("/gate", gate).filter(new HangupFilter(hangup)))) {
            gate.open();
            assertThat(RawClient.ask(container, "/gate").body()).isEqualTo("opened");
            await().until(() -> ledger.ended(Outcome.COMPLETED) == 1);
            long began = System.nanoTime();
            hangup.close();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(DRAIN);
            assertThat(RawClient.ask(container, "/gate").body()).isEqualTo("opened");
            assertThat(ledger.ended()).isEqualTo(1);
        }
    }
}
