package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CancelReason;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A caller resets its connection and comes again from the same port, while the work of its first request has not ended: the
 * kernel's table then shows a connection that stands, at the addresses of one that is gone.
 */
final class ReusedPortIT {

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /stubborn", Entry.of(Mode.CANCEL))
            .endpoint("GET /observed", Entry.of(Mode.OBSERVE))
            .endpoint("GET /gate", Entry.of(Mode.CANCEL))
            .endpoint("GET /left", Entry.of(Mode.CANCEL))
            .build();

    private final Ledger ledger = new Ledger();
    private final Gate gate = new Gate();
    private final Gate left = new Gate();
    private final CountDownLatch done = new CountDownLatch(1);
    private final AtomicInteger stubborn = new AtomicInteger();
    private final AtomicInteger interrupts = new AtomicInteger();
    /** Does not stop when it is told to: its connection stays open meanwhile. */
    private final LambdaServlet work = new LambdaServlet((request, response) -> {
        stubborn.incrementAndGet();
        for (boolean over = false; !over; ) {
            try {
                over = done.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupts.incrementAndGet();
            }
        }
    });

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({"JETTY, /stubborn", "JETTY, /observed", "TOMCAT, /stubborn", "TOMCAT, /observed"})
    void watchIsBelievedAllTheSame(ContainerKind kind, String path) throws Exception {
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(new Site()
                        .filter(new HangupFilter(hangup))
                        .servlet("/stubborn", work)
                        .servlet("/observed", work)
                        .servlet("/gate", gate)
                        .servlet("/left", left))) {
            RawClient resetting = connectFromAPortThatNobodyIsGiven(container).get(path);
            await().untilAsserted(() -> assertThat(stubborn).hasValue(1));
            int port = resetting.localPort();
            resetting.rst();
            try (RawClient again = RawClient.connectFrom(port, container).get("/gate")) {
                await().untilAsserted(() ->
                        assertThat(ledger.of(CancelReason.CALLER_RESET)).isEqualTo(1));
                await().untilAsserted(() -> assertThat(gate.entered).hasValue(1));
                // The second witness has read its table by then.
                await().during(Duration.ofMillis(800)).until(() -> ledger.departures() == 1);

                RawClient.connect(container).get("/left").close();
                await().untilAsserted(() -> assertThat(left.interrupted).hasValue(1));
                done.countDown();
                gate.open();
                assertThat(again.response().body()).isEqualTo("opened");
            }
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(3));
            assertThat(ledger.departures()).isEqualTo(2);
            assertThat(interrupts).hasValue(path.equals("/stubborn") ? 1 : 0);
            logged.assertNoAlarms();
        }
    }

    /** Linux gives out ports from 32768 on: another test's socket cannot take it in between. */
    private static RawClient connectFromAPortThatNobodyIsGiven(Container container) throws IOException {
        BindException taken = new BindException("no port was tried");
        int first = ThreadLocalRandom.current().nextInt(20_000, 30_000);
        for (int port = first; port < first + 100; port++) {
            try {
                return RawClient.connectFrom(port, container);
            } catch (BindException e) {
                taken = e;
            }
        }
        throw taken;
    }
}
