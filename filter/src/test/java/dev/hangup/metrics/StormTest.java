package dev.hangup.metrics;

import static dev.hangup.metrics.TestRuntime.CANCELLED;
import static dev.hangup.metrics.TestRuntime.NAMED;
import static dev.hangup.metrics.TestRuntime.OBSERVED;
import static dev.hangup.metrics.TestRuntime.end;
import static dev.hangup.metrics.TestRuntime.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.hangup.call.CallCancelledException;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Treatment;
import dev.hangup.call.WorkerPool;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Calls that end in every way at once, each with a departure that races its end, under a scraper that never rests. Seeded: the
 * endings are the same each time, the interleaving is the machine's.
 */
final class StormTest {
    private static final int THREADS = 3;
    private static final int CALLS = 6_000;
    /** Work here is detached now and then, so its seconds have no sum that the test could keep. */
    private static final String DETACHING = "GET /detaching";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final HangupMetrics metrics = new HangupMetrics();
    private final WorkerPool workers = new WorkerPool(() -> 64);
    private final TestRuntime runtime = new TestRuntime(workers, metrics);
    private final ExecutorService watcher = Executors.newSingleThreadExecutor();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS + 2);

    private final ExecutorService helpers = Executors.newFixedThreadPool(2);

    private final AtomicLong unowned = new AtomicLong();
    /** Of these, what followed a departure; the rest followed a cancel. */
    private final AtomicLong released = new AtomicLong();

    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong cancelled = new AtomicLong();

    @AfterEach
    void stop() {
        threads.shutdownNow();
        watcher.shutdownNow();
        helpers.shutdownNow();
        runtime.close();
    }

    @Test
    @Timeout(60)
    void countersOnlyRiseAndEveryGaugeComesToRest() throws Exception {
        metrics.bindTo(registry);
        metrics.poolKnown(workers);
        List<Future<?>> storm = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(i);
            storm.add(threads.submit(() -> {
                for (int call = 0; call < CALLS; call++) {
                    pass(random);
                }
                return null;
            }));
        }
        Future<Integer> scrapes = threads.submit(() -> scrapeUntil(storm));
        Future<Integer> reads = threads.submit(() -> readUntil(storm));
        for (Future<?> thread : storm) {
            thread.get();
        }
        assertThat(ended.get()).isEqualTo(THREADS * CALLS);
        assertThat(scrapes.get()).isPositive();
        assertThat(reads.get()).isGreaterThan(1_000);
        watcher.shutdown();
        assertThat(watcher.awaitTermination(30, TimeUnit.SECONDS)).isTrue();

        Scrape rest = Scrape.of(registry);
        rest.gauges().forEach((series, value) -> {
            if (!series.startsWith("hangup_pool_size") && !series.contains("_seconds_max{")) {
                assertThat(value).as(series).isZero();
            }
        });
        assertThat(sum(rest, "hangup_calls_total{")).isEqualTo((double) ended.get());
        assertThat(sum(rest, "hangup_cancelled_total{")).isEqualTo((double) cancelled.get());
        double kept = unowned.get() / 1e9;
        double counted = sum(rest, "hangup_unowned_work_seconds_total{endpoint=\"GET /storm/");
        // A scrape between the instant of an end and its being written counts up to the scrape.
        assertThat(counted).isCloseTo(kept, within(kept * 0.01));
        assertThat(sum(rest, "hangup_release_seconds_sum{endpoint=\"GET /storm/"))
                .isCloseTo(released.get() / 1e9, within(1e-6));
    }

    private void pass(Random random) throws Exception {
        boolean detaching = random.nextInt(5) == 0;
        String endpoint = detaching ? DETACHING : "GET /storm/" + random.nextInt(12);
        Treatment treatment = List.of(OBSERVED, NAMED, CANCELLED).get(random.nextInt(3));
        CallScope call = runtime.begin(endpoint, treatment, Duration.ofNanos(random.nextInt(400_000)));
        int ending = random.nextInt(6);
        Future<?> departure = watcher.submit(() -> depart(call, ending));
        work(Duration.ofNanos(random.nextInt(150_000)));
        if (random.nextInt(4) == 0) {
            Duration time = Duration.ofNanos(random.nextInt(50_000));
            helpers.execute(call.wrap(() -> work(time)));
        }
        if (detaching && random.nextBoolean() && !call.isCancelled()) {
            detach(call);
        }
        if (random.nextBoolean()) {
            departure.get();
            work(Duration.ofNanos(random.nextInt(150_000)));
        }
        end(call);
        departure.get();
        settle(call, detaching);
    }

    private static void depart(CallScope call, int ending) {
        switch (ending) {
            case 0 -> call.callerGone(CancelReason.CALLER_CLOSED);
            case 1 -> call.callerGone(CancelReason.CALLER_RESET);
            case 2 -> call.deadlinePassed();
            case 3 -> call.cancel();
            default -> call.elapsed();
        }
    }

    private static void detach(CallScope call) {
        try {
            call.detach();
        } catch (CallCancelledException e) {
            assertThat(call.isCancelled()).as("lost to a cancel").isTrue();
        }
    }

    /** What the test knows of a call, from the call alone. */
    private void settle(CallScope call, boolean detaching) {
        while (!call.isEnded()) {
            Thread.onSpinWait();
        }
        ended.incrementAndGet();
        if (call.isCancelled()) {
            cancelled.incrementAndGet();
        }
        if (!detaching && call.isUnowned()) {
            long nanos = Math.max(0, call.endedAt() - call.unownedSince());
            unowned.addAndGet(nanos);
            released.addAndGet(call.callerGoneAt() == 0 ? 0 : nanos);
        }
    }

    private int scrapeUntil(List<Future<?>> storm) {
        Map<String, Double> last = new HashMap<>();
        int scrapes = 0;
        while (!storm.stream().allMatch(Future::isDone)) {
            Scrape scrape = Scrape.of(registry);
            scrapes++;
            scrape.gauges()
                    .forEach((series, value) ->
                            assertThat(value).as(series).isNotNegative().isNotNaN());
            Map<String, Double> counters = scrape.counters();
            last.forEach((series, before) ->
                    assertThat(counters.get(series)).as(series).isNotNull().isGreaterThanOrEqualTo(before));
            last = counters;
        }
        return scrapes;
    }

    /** As a scrape reads it, without the text: often enough to meet a call at its end. */
    private int readUntil(List<Future<?>> storm) {
        double last = 0;
        int reads = 0;
        while (!storm.stream().allMatch(Future::isDone)) {
            double sum = registry.find("hangup.unowned.work").functionCounters().stream()
                    .mapToDouble(FunctionCounter::count)
                    .sum();
            assertThat(sum).isGreaterThanOrEqualTo(last - 1e-9);
            last = sum;
            reads++;
        }
        return reads;
    }

    private static double sum(Scrape scrape, String prefix) {
        return scrape.samples.entrySet().stream()
                .filter(sample -> sample.getKey().startsWith(prefix))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }
}
