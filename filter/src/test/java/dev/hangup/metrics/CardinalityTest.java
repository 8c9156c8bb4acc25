package dev.hangup.metrics;

import static dev.hangup.metrics.TestRuntime.NAMED;
import static dev.hangup.metrics.TestRuntime.OBSERVED;
import static dev.hangup.metrics.TestRuntime.end;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.EndpointView;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names that callers invent must neither fill the heap nor slow the scrape. */
final class CardinalityTest {
    private static final long FIFTY_MILLIS = 50_000_000;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final HangupMetrics metrics = new HangupMetrics();
    private final TestRuntime runtime = new TestRuntime(metrics);

    CardinalityTest() {
        metrics.bindTo(registry);
    }

    @AfterEach
    void stop() {
        runtime.close();
    }

    @Test
    void threeHundredEndpointsHaveSeriesAndTheRestShareOne() {
        metrics.endpointKnown(new View("GET /reports/{id}"));
        for (int i = 0; i < 100_000; i++) {
            CallScope call = runtime.begin("GET /invented/" + i, NAMED);
            if (i % 100 == 0) {
                call.callerGone(CancelReason.CALLER_CLOSED);
            }
            end(call);
        }
        end(runtime.begin("GET /reports/{id}", NAMED));
        metrics.endpointKnown(new View("GET /too/late"));

        Scrape scrape = Scrape.of(registry);
        assertThat(scrape.valuesOf("endpoint")).hasSize(301).contains("OTHER", "GET /reports/{id}");
        assertThat(scrape.value("hangup_calls_total{endpoint=\"GET /reports/{id}\",outcome=\"completed\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("hangup_calls_total{endpoint=\"OTHER\",outcome=\"would_cancel\"}")
                        + scrape.value("hangup_calls_total{endpoint=\"OTHER\",outcome=\"completed\"}"))
                .isEqualTo(100_000 - 299);
        assertThat(scrape.value("hangup_unowned_calls{endpoint=\"OTHER\"}")).isZero();
        assertThat(scrape.has("hangup_deadline_seconds{endpoint=\"OTHER\"}")).isFalse();
    }

    @Test
    void anEndpointCalledOtherTakesNoPlace() {
        end(runtime.begin("OTHER", OBSERVED));
        for (int i = 0; i < 400; i++) {
            end(runtime.begin("GET /" + i, OBSERVED));
        }

        Scrape scrape = Scrape.of(registry);
        assertThat(scrape.valuesOf("endpoint")).hasSize(301);
        assertThat(scrape.value("hangup_calls_total{endpoint=\"OTHER\",outcome=\"completed\"}"))
                .isEqualTo(101);
    }

    /** All endpoints, all their histograms, and 2,000 calls unowned: far above what a bad day brings. */
    @Test
    void aFullScrapeTakesLessThanFiftyMilliseconds() {
        Deque<CallScope> unowned = new ArrayDeque<>();
        for (int i = 0; i < 2_000; i++) {
            CallScope call = runtime.begin("GET /" + i % 300, NAMED);
            call.callerGone(CancelReason.CALLER_CLOSED);
            unowned.push(call);
        }
        for (int i = 0; i < 300; i++) {
            CallScope call = runtime.begin("GET /" + i, NAMED);
            call.callerGone(CancelReason.CALLER_CLOSED);
            end(call);
        }
        // On this thread's own clock, the best of many: a busy machine, or a cold one, says nothing about the scrape.
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long best = Long.MAX_VALUE;
        String text = "";
        for (int i = 0; i < 200 && best > FIFTY_MILLIS; i++) {
            long begin = threads.getCurrentThreadCpuTime();
            text = registry.scrape();
            best = Math.min(best, threads.getCurrentThreadCpuTime() - begin);
        }
        unowned.forEach(TestRuntime::end);

        assertThat(text.lines()).hasSizeGreaterThan(300 * 60);
        assertThat(best).isLessThan(FIFTY_MILLIS);
    }

    private record View(String endpoint) implements EndpointView {
        @Override
        public Duration deadline() {
            return Duration.ofSeconds(1);
        }

        @Override
        public boolean cancels() {
            return true;
        }
    }
}
