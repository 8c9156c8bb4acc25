package dev.hangup.metrics;

import static dev.hangup.metrics.TestRuntime.CANCELLED;
import static dev.hangup.metrics.TestRuntime.NAMED;
import static dev.hangup.metrics.TestRuntime.OBSERVED;
import static dev.hangup.metrics.TestRuntime.end;
import static dev.hangup.metrics.TestRuntime.treatment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.EndpointView;
import dev.hangup.call.TransactionOutcome;
import dev.hangup.call.Unwatched;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names, types, labels and values as Prometheus reads them: dashboards depend on every character. */
final class ScrapedTextTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final HangupMetrics metrics = new HangupMetrics();
    private final TestRuntime runtime = new TestRuntime(metrics);

    ScrapedTextTest() {
        metrics.bindTo(registry);
    }

    @AfterEach
    void stop() {
        runtime.close();
    }

    @Test
    void namesAndTypesAreThoseOfTheContract() {
        everythingHappens();

        Map<String, String> expected = new TreeMap<>(Map.ofEntries(
                Map.entry("hangup_unowned_calls", "gauge"),
                Map.entry("hangup_unowned_seconds", "gauge"),
                Map.entry("hangup_unowned_work_seconds_total", "counter"),
                Map.entry("hangup_discarded_seconds_total", "counter"),
                Map.entry("hangup_pool_share", "gauge"),
                Map.entry("hangup_pool_size", "gauge"),
                Map.entry("hangup_pool_unowned", "gauge"),
                Map.entry("hangup_pool_unowned_seconds_total", "counter"),
                Map.entry("hangup_calls_total", "counter"),
                Map.entry("hangup_cancelled_total", "counter"),
                Map.entry("hangup_call_seconds", "histogram"),
                Map.entry("hangup_caller_patience_seconds", "histogram"),
                Map.entry("hangup_deadline_seconds", "gauge"),
                Map.entry("hangup_cancelling", "gauge"),
                Map.entry("hangup_release_seconds", "histogram"),
                Map.entry("hangup_transactions_total", "counter"),
                Map.entry("hangup_stuck_calls", "gauge"),
                Map.entry("hangup_calls_unwatched_total", "counter"),
                Map.entry("hangup_policy_loaded_timestamp_seconds", "gauge"),
                Map.entry("hangup_policy_reload_failures_total", "counter"),
                // Micrometer adds these to every histogram.
                Map.entry("hangup_call_seconds_max", "gauge"),
                Map.entry("hangup_caller_patience_seconds_max", "gauge"),
                Map.entry("hangup_release_seconds_max", "gauge")));
        assertThat(Scrape.of(registry).types).isEqualTo(expected);
    }

    /** Micrometer takes series of one name with different labels without a word, and Prometheus then finds half of them. */
    @Test
    void eachNameHasOneLabelSet() {
        everythingHappens();

        Map<String, String> found = new TreeMap<>();
        Scrape.of(registry).labelSets().forEach((name, sets) -> found.put(name, String.join(" or ", sets)));
        Map<String, String> expected = new TreeMap<>(Map.ofEntries(
                Map.entry("hangup_unowned_calls", "endpoint"),
                Map.entry("hangup_unowned_seconds", "endpoint"),
                Map.entry("hangup_unowned_work_seconds_total", "endpoint"),
                Map.entry("hangup_discarded_seconds_total", "endpoint"),
                Map.entry("hangup_pool_share", "pool"),
                Map.entry("hangup_pool_size", "pool"),
                Map.entry("hangup_pool_unowned", "pool"),
                Map.entry("hangup_pool_unowned_seconds_total", "pool"),
                Map.entry("hangup_calls_total", "endpoint,outcome"),
                Map.entry("hangup_cancelled_total", "endpoint,reason"),
                Map.entry("hangup_call_seconds_bucket", "endpoint,outcome,le"),
                Map.entry("hangup_call_seconds_count", "endpoint,outcome"),
                Map.entry("hangup_call_seconds_sum", "endpoint,outcome"),
                Map.entry("hangup_call_seconds_max", "endpoint,outcome"),
                Map.entry("hangup_caller_patience_seconds_bucket", "endpoint,le"),
                Map.entry("hangup_caller_patience_seconds_count", "endpoint"),
                Map.entry("hangup_caller_patience_seconds_sum", "endpoint"),
                Map.entry("hangup_caller_patience_seconds_max", "endpoint"),
                Map.entry("hangup_deadline_seconds", "endpoint"),
                Map.entry("hangup_cancelling", "endpoint"),
                Map.entry("hangup_release_seconds_bucket", "endpoint,le"),
                Map.entry("hangup_release_seconds_count", "endpoint"),
                Map.entry("hangup_release_seconds_sum", "endpoint"),
                Map.entry("hangup_release_seconds_max", "endpoint"),
                Map.entry("hangup_transactions_total", "outcome,pool"),
                Map.entry("hangup_stuck_calls", "endpoint"),
                Map.entry("hangup_calls_unwatched_total", "cause"),
                Map.entry("hangup_policy_loaded_timestamp_seconds", ""),
                Map.entry("hangup_policy_reload_failures_total", "")));
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void histogramsHaveTheFixedBuckets() {
        everythingHappens();

        Scrape scrape = Scrape.of(registry);
        for (String series : Set.of(
                "hangup_call_seconds_bucket{endpoint=\"GET /reports/{id}\",outcome=\"cancelled\"",
                "hangup_caller_patience_seconds_bucket{endpoint=\"GET /reports/{id}\"",
                "hangup_release_seconds_bucket{endpoint=\"GET /reports/{id}\"")) {
            assertThat(scrape.samples.keySet().stream()
                            .filter(name -> name.startsWith(series))
                            .map(name -> name.replaceAll(".*le=\"(.*)\"}", "$1"))
                            .collect(Collectors.joining(" ")))
                    .isEqualTo(
                            "0.005 0.01 0.025 0.05 0.1 0.25 0.5 1.0 2.0 3.0 5.0 7.5 10.0 15.0 20.0 30.0 60.0 120.0 +Inf");
        }
    }

    @Test
    void valuesAreWhatHappened() {
        everythingHappens();

        Scrape scrape = Scrape.of(registry);
        assertThat(scrape.value("hangup_calls_total{endpoint=\"UNMATCHED\",outcome=\"completed\"}"))
                .isEqualTo(2);
        assertThat(scrape.value("hangup_calls_total{endpoint=\"UNMATCHED\",outcome=\"would_cancel\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("hangup_calls_total{endpoint=\"GET /reports/{id}\",outcome=\"cancelled\"}"))
                .isEqualTo(3);
        assertThat(scrape.value("hangup_calls_total{endpoint=\"GET /named\",outcome=\"deadline_passed\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("hangup_cancelled_total{endpoint=\"GET /reports/{id}\",reason=\"caller_closed\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("hangup_cancelled_total{endpoint=\"GET /reports/{id}\",reason=\"endpoint_deadline\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("hangup_cancelled_total{endpoint=\"GET /reports/{id}\",reason=\"manual\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("hangup_call_seconds_count{endpoint=\"GET /named\",outcome=\"deadline_passed\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("hangup_caller_patience_seconds_count{endpoint=\"GET /reports/{id}\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("hangup_caller_patience_seconds_count{endpoint=\"UNMATCHED\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("hangup_release_seconds_count{endpoint=\"GET /reports/{id}\"}"))
                .as("one departure, beside a deadline and a cancel")
                .isEqualTo(1);
        assertThat(scrape.value("hangup_calls_unwatched_total{cause=\"no_socket\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("hangup_deadline_seconds{endpoint=\"GET /reports/{id}\"}"))
                .isEqualTo(1.5);
        assertThat(scrape.value("hangup_cancelling{endpoint=\"GET /reports/{id}\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("hangup_transactions_total{outcome=\"too_late\",pool=\"jdbc:main\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("hangup_transactions_total{outcome=\"rolled_back\",pool=\"jdbc:main\"}"))
                .isEqualTo(2);
        assertThat(scrape.value("hangup_policy_loaded_timestamp_seconds")).isEqualTo(1.7e9);
        assertThat(scrape.value("hangup_policy_reload_failures_total")).isEqualTo(1);
    }

    @Test
    void callsOfUnnamedEndpointsHaveNoHistogramOfDurations() {
        everythingHappens();

        Scrape scrape = Scrape.of(registry);
        assertThat(scrape.samples.keySet())
                .filteredOn(series -> series.startsWith("hangup_call_seconds"))
                .noneMatch(series -> series.contains("UNMATCHED"));
    }

    /** A counter that is born with its first rise hides it from rate(). */
    @Test
    void anEndpointReadsZeroFromItsFirstCallOn() {
        end(runtime.begin("GET /quiet", OBSERVED));

        Scrape scrape = Scrape.of(registry);
        for (String name : Set.of(
                "hangup_unowned_calls",
                "hangup_unowned_seconds",
                "hangup_unowned_work_seconds_total",
                "hangup_discarded_seconds_total",
                "hangup_stuck_calls")) {
            assertThat(scrape.value(name + "{endpoint=\"GET /quiet\"}"))
                    .as(name)
                    .isZero();
        }
        assertThat(scrape.value("hangup_policy_reload_failures_total")).isZero();
        assertThat(scrape.types).doesNotContainValue("histogram");
    }

    @Test
    void aNewPolicyIsReadAtOnce() {
        metrics.endpointKnown(new View("GET /changing", Duration.ofSeconds(30), false));
        assertThat(Scrape.of(registry).value("hangup_deadline_seconds{endpoint=\"GET /changing\"}"))
                .isEqualTo(30);
        metrics.endpointKnown(new View("GET /changing", Duration.ofMillis(250), true));
        metrics.policyLoaded(1.8e9);

        Scrape scrape = Scrape.of(registry);
        assertThat(scrape.value("hangup_deadline_seconds{endpoint=\"GET /changing\"}"))
                .isEqualTo(0.25);
        assertThat(scrape.value("hangup_cancelling{endpoint=\"GET /changing\"}"))
                .isEqualTo(1);
        assertThat(scrape.value("hangup_policy_loaded_timestamp_seconds")).isEqualTo(1.8e9);
    }

    @Test
    void aStuckCallIsCountedUntilItEnds() {
        CallScope call = runtime.begin("GET /stuck", treatment(true, true, Duration.ofMillis(20)));
        call.callerGone(CancelReason.CALLER_RESET);
        await().untilAsserted(() -> assertThat(Scrape.of(registry).value("hangup_stuck_calls{endpoint=\"GET /stuck\"}"))
                .isEqualTo(1));
        call.refine("GET /elsewhere", OBSERVED, Duration.ofSeconds(1));
        end(call);

        assertThat(Scrape.of(registry).value("hangup_stuck_calls{endpoint=\"GET /stuck\"}"))
                .isZero();
        metrics.stuck(call, java.util.List.of());
        assertThat(Scrape.of(registry).value("hangup_stuck_calls{endpoint=\"GET /elsewhere\"}"))
                .as("told of after the end")
                .isZero();
    }

    private void everythingHappens() {
        metrics.endpointKnown(new View("GET /reports/{id}", Duration.ofMillis(1500), true));
        metrics.policyLoaded(1.7e9);
        metrics.policyRefused();
        TestPool pool = new TestPool("jdbc:main", 10);
        metrics.poolKnown(pool);
        metrics.transaction(pool, TransactionOutcome.ROLLED_BACK);
        metrics.transaction(pool, TransactionOutcome.ROLLED_BACK);
        metrics.transaction(pool, TransactionOutcome.TOO_LATE);

        end(runtime.begin(CallScope.UNMATCHED, OBSERVED));
        CallScope unwatched = runtime.begin(CallScope.UNMATCHED, OBSERVED);
        unwatched.unwatched(Unwatched.NO_SOCKET);
        end(unwatched);
        CallScope observed = runtime.begin(CallScope.UNMATCHED, OBSERVED);
        observed.callerGone(CancelReason.CALLER_RESET);
        end(observed);
        end(runtime.begin("GET /named", NAMED, Duration.ZERO));
        CallScope left = runtime.begin("GET /reports/{id}", CANCELLED);
        left.callerGone(CancelReason.CALLER_CLOSED);
        end(left);
        CallScope late = runtime.begin("GET /reports/{id}", CANCELLED, Duration.ZERO);
        late.deadlinePassed();
        end(late);
        CallScope stopped = runtime.begin("GET /reports/{id}", CANCELLED);
        stopped.cancel();
        end(stopped);
    }

    private record View(String endpoint, Duration deadline, boolean cancels) implements EndpointView {}
}
