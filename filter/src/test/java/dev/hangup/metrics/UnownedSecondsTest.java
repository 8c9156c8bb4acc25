package dev.hangup.metrics;

import static dev.hangup.metrics.TestRuntime.CANCELLED;
import static dev.hangup.metrics.TestRuntime.OBSERVED;
import static dev.hangup.metrics.TestRuntime.end;
import static dev.hangup.metrics.TestRuntime.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Unowned and discarded seconds against sums that the test keeps from the calls' own instants. */
final class UnownedSecondsTest {
    /** A sum of doubles of seconds, printed and read again. */
    private static final double ROUNDING = 1e-9;

    private static final String CALLS = "hangup_unowned_calls{endpoint=\"GET /work\"}";
    private static final String NOW = "hangup_unowned_seconds{endpoint=\"GET /work\"}";
    private static final String WORK = "hangup_unowned_work_seconds_total{endpoint=\"GET /work\"}";
    private static final String DISCARDED = "hangup_discarded_seconds_total{endpoint=\"GET /work\"}";
    private static final String RELEASED = "hangup_release_seconds_sum{endpoint=\"GET /work\"}";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final HangupMetrics metrics = new HangupMetrics();
    private final TestRuntime runtime = new TestRuntime(metrics);

    UnownedSecondsTest() {
        metrics.bindTo(registry);
    }

    @AfterEach
    void stop() {
        runtime.close();
    }

    @Test
    void areExactWhateverWasReadMeanwhile() {
        Random random = new Random(20);
        double unowned = 0;
        double discarded = 0;
        for (int i = 0; i < 200; i++) {
            CallScope call = runtime.begin("GET /work", i % 2 == 0 ? OBSERVED : CANCELLED);
            work(Duration.ofNanos(random.nextInt(300_000)));
            call.callerGone(CancelReason.CALLER_CLOSED);
            for (int read = random.nextInt(3); read > 0; read--) {
                scrape();
            }
            work(Duration.ofNanos(random.nextInt(300_000)));
            end(call);
            unowned += (call.endedAt() - call.unownedSince()) / 1e9;
            discarded += (call.unownedSince() - call.startedAt()) / 1e9;
        }

        Scrape scrape = scrape();
        assertThat(scrape.value(WORK)).isCloseTo(unowned, within(ROUNDING));
        assertThat(scrape.value(RELEASED)).isCloseTo(unowned, within(ROUNDING));
        assertThat(scrape.value(DISCARDED)).isCloseTo(discarded, within(ROUNDING));
        assertThat(scrape.value(CALLS)).isZero();
        assertThat(scrape.value(NOW)).isZero();
    }

    /** Nobody has left: there is work for nobody, but no departure that anything was thrown away with or that the work answered. */
    @Test
    void aPassedDeadlineIsNoDeparture() {
        CallScope call = runtime.begin("GET /work", CANCELLED, Duration.ZERO);
        work(Duration.ofMillis(1));
        call.deadlinePassed();
        work(Duration.ofMillis(1));
        end(call);

        Scrape scrape = scrape();
        assertThat(scrape.value(WORK)).isGreaterThanOrEqualTo(0.001);
        assertThat(scrape.value(DISCARDED)).isZero();
        assertThat(scrape.has(RELEASED)).isFalse();
    }

    @Test
    void accrueWhileTheWorkGoesOn() {
        CallScope call = runtime.begin("GET /work", OBSERVED);
        work(Duration.ofMillis(5));
        call.callerGone(CancelReason.CALLER_CLOSED);
        double last = -1;
        for (int i = 0; i < 5; i++) {
            work(Duration.ofMillis(4));
            double atLeast = (System.nanoTime() - call.unownedSince()) / 1e9;
            Scrape scrape = scrape();
            double atMost = (System.nanoTime() - call.unownedSince()) / 1e9;

            assertThat(scrape.value(CALLS)).isEqualTo(1);
            assertThat(scrape.value(NOW)).isBetween(atLeast, atMost);
            assertThat(scrape.value(WORK)).isBetween(atLeast, atMost).isGreaterThan(last);
            assertThat(scrape.value(DISCARDED)).isGreaterThanOrEqualTo(0.005);
            last = scrape.value(WORK);
        }
        end(call);
    }

    @Test
    void sumOverAllUnownedCallsOfAnEndpoint() {
        CallScope outer = runtime.begin("GET /work", OBSERVED);
        CallScope inner = runtime.begin("GET /work", OBSERVED);
        outer.callerGone(CancelReason.CALLER_CLOSED);
        inner.callerGone(CancelReason.CALLER_CLOSED);
        work(Duration.ofMillis(10));

        Scrape scrape = scrape();
        assertThat(scrape.value(CALLS)).isEqualTo(2);
        assertThat(scrape.value(NOW)).isGreaterThanOrEqualTo(0.020);
        end(inner);
        assertThat(scrape().value(CALLS)).isEqualTo(1);
        end(outer);
        assertThat(scrape().value(NOW)).isZero();
    }

    @Test
    void countFromACancelToo() {
        CallScope call = runtime.begin("GET /work", CANCELLED);
        call.cancel();
        work(Duration.ofMillis(5));
        end(call);

        assertThat(scrape().value(WORK)).isGreaterThanOrEqualTo(0.005);
    }

    @Test
    void endWithADetach() {
        CallScope call = runtime.begin("GET /work", OBSERVED);
        call.callerGone(CancelReason.CALLER_CLOSED);
        work(Duration.ofMillis(5));
        call.detach();
        Scrape detached = scrape();
        work(Duration.ofMillis(5));
        end(call);

        Scrape ended = scrape();
        assertThat(detached.value(CALLS)).isZero();
        assertThat(detached.value(NOW)).isZero();
        assertThat(detached.value(WORK)).isBetween(0.005, 1.0);
        assertThat(ended.value(WORK)).isEqualTo(detached.value(WORK));
        assertThat(ended.value("hangup_calls_total{endpoint=\"GET /work\",outcome=\"detached\"}"))
                .isEqualTo(1);
        assertThat(ended.has(RELEASED)).as("nobody released it").isFalse();
    }

    @Test
    void neverCountDetachedWork() {
        CallScope call = runtime.begin("GET /work", OBSERVED);
        call.detach();
        call.callerGone(CancelReason.CALLER_CLOSED);
        call.cancel(CancelReason.SHUTDOWN);
        metrics.unowned(call);
        work(Duration.ofMillis(2));
        assertThat(scrape().value(CALLS)).isZero();
        end(call);

        assertThat(scrape().value(WORK)).isZero();
    }

    @Test
    void belongToTheEndpointThatTheCallHadWhenItsCallerLeft() {
        CallScope call = runtime.begin("GET /work", OBSERVED);
        call.callerGone(CancelReason.CALLER_CLOSED);
        call.refine("GET /found/later", OBSERVED, Duration.ofSeconds(30));
        work(Duration.ofMillis(2));
        end(call);

        Scrape scrape = scrape();
        assertThat(scrape.value(CALLS)).isZero();
        assertThat(scrape.value(WORK)).isCloseTo((call.endedAt() - call.unownedSince()) / 1e9, within(ROUNDING));
        assertThat(scrape.value("hangup_calls_total{endpoint=\"GET /found/later\",outcome=\"would_cancel\"}"))
                .isEqualTo(1);
    }

    /** The watcher is about to tell of the departure when the worker ends the call. */
    @Test
    void areExactWhenTheEndIsHeardOfBeforeTheDeparture() {
        Deque<CallScope> heldUp = new ArrayDeque<>();
        try (TestRuntime slow = new TestRuntime(new CallListener() {
            @Override
            public void unowned(CallScope call) {
                heldUp.add(call);
            }

            @Override
            public void ended(CallScope call, Outcome outcome) {
                metrics.ended(call, outcome);
            }
        })) {
            CallScope call = slow.begin("GET /work", OBSERVED);
            call.callerGone(CancelReason.CALLER_CLOSED);
            work(Duration.ofMillis(2));
            end(call);
            metrics.unowned(heldUp.remove());

            Scrape scrape = scrape();
            assertThat(scrape.value(CALLS)).isZero();
            assertThat(scrape.value(NOW)).isZero();
            double unowned = (call.endedAt() - call.unownedSince()) / 1e9;
            assertThat(scrape.value(WORK)).isCloseTo(unowned, within(ROUNDING));
            assertThat(scrape.value(RELEASED)).isCloseTo(unowned, within(ROUNDING));

            WeakReference<CallScope> trace = new WeakReference<>(call);
            call = null;
            await("nothing holds the call").until(() -> {
                System.gc();
                return trace.get() == null;
            });
        }
    }

    private Scrape scrape() {
        return Scrape.of(registry);
    }
}
