package dev.hangup.metrics;

import static dev.hangup.metrics.TestRuntime.OBSERVED;
import static dev.hangup.metrics.TestRuntime.end;
import static dev.hangup.metrics.TestRuntime.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.ConnectionEvent;
import dev.hangup.call.TransactionOutcome;
import dev.hangup.call.WorkerPool;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PoolMetersTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final HangupMetrics metrics = new HangupMetrics();

    PoolMetersTest() {
        metrics.bindTo(registry);
    }

    @Test
    void theShareIsTheUnownedPartOfTheSize() {
        TestPool pool = new TestPool("jdbc:main", 256);
        metrics.poolKnown(pool);
        assertThat(scraped("share", "jdbc:main")).isZero();
        pool.unowned = 200;
        pool.unownedNanos = 1_500_000_000L;

        assertThat(scraped("share", "jdbc:main")).isEqualTo(200.0 / 256);
        assertThat(scraped("size", "jdbc:main")).isEqualTo(256);
        assertThat(scraped("unowned", "jdbc:main")).isEqualTo(200);
        assertThat(scraped("unowned_seconds_total", "jdbc:main")).isEqualTo(1.5);
    }

    @Test
    void aPoolWithoutABoundHasNoShare() {
        TestPool pool = new TestPool("workers", -1);
        metrics.poolKnown(pool);
        pool.unowned = 3;

        assertThat(scraped("unowned", "workers")).isEqualTo(3);
        assertThat(Scrape.of(registry).types).doesNotContainKeys("hangup_pool_share", "hangup_pool_size");
        assertThat(Scrape.of(registry).types).containsKey("hangup_pool_unowned_seconds_total");
    }

    @Test
    void theShareComesWhenTheSizeIsKnown() {
        TestPool pool = new TestPool("workers", -1);
        metrics.poolKnown(pool);
        pool.size = 200;
        pool.unowned = 50;
        metrics.poolKnown(pool);

        assertThat(scraped("share", "workers")).isEqualTo(0.25);
        assertThat(scraped("unowned", "workers"))
                .as("one pool, announced twice")
                .isEqualTo(50);
    }

    @Test
    void theShareIsNeverMoreThanAllOfIt() {
        TestPool pool = new TestPool("jdbc:main", 10);
        metrics.poolKnown(pool);
        pool.unowned = 12;
        assertThat(scraped("share", "jdbc:main")).isEqualTo(1);
        pool.size = 0;
        assertThat(scraped("share", "jdbc:main")).isZero();
    }

    @Test
    void connectionsAreCountedByWhatWasDoneToThem() {
        TestPool pool = new TestPool("jdbc:main", 10);
        metrics.connection(pool, ConnectionEvent.RECLAIMED);
        metrics.connection(pool, ConnectionEvent.CANCEL_SENT);
        metrics.connection(pool, ConnectionEvent.CANCEL_SENT);

        assertThat(registry.scrape())
                .contains("hangup_connections_total{event=\"cancel_sent\",pool=\"jdbc:main\"} 2.0")
                .contains("hangup_connections_total{event=\"reclaimed\",pool=\"jdbc:main\"} 1.0")
                .doesNotContain("event=\"evicted\"");
    }

    @Test
    void poolsOfOneNameAreAddedUp() {
        TestPool one = new TestPool("jdbc:main", 10);
        TestPool two = new TestPool("jdbc:main", 30);
        metrics.poolKnown(one);
        metrics.poolKnown(two);
        one.unowned = 5;
        two.unowned = 15;
        one.unownedNanos = 1_000_000_000;
        two.unownedNanos = 2_000_000_000;

        assertThat(scraped("size", "jdbc:main")).isEqualTo(40);
        assertThat(scraped("share", "jdbc:main")).isEqualTo(0.5);
        assertThat(scraped("unowned_seconds_total", "jdbc:main")).isEqualTo(3);
    }

    /** A scrape that fails with a sick pool leaves the operator blind when he needs it most. */
    @Test
    void aSickPoolDoesNotTakeTheScrapeWithIt() {
        TestPool pool = new TestPool("jdbc:main", 10);
        metrics.poolKnown(pool);
        pool.unowned = 5;
        pool.unownedNanos = 2_000_000_000;
        assertThat(scraped("unowned_seconds_total", "jdbc:main")).isEqualTo(2);
        pool.sick = true;

        assertThat(scraped("share", "jdbc:main")).isZero();
        assertThat(scraped("unowned", "jdbc:main")).isZero();
        assertThat(scraped("unowned_seconds_total", "jdbc:main")).isEqualTo(2);
    }

    @Test
    void theCounterNeverFallsWhateverThePoolSays() {
        TestPool pool = new TestPool("jdbc:main", 10);
        metrics.poolKnown(pool);
        pool.unownedNanos = 5_000_000_000L;
        assertThat(scraped("unowned_seconds_total", "jdbc:main")).isEqualTo(5);
        pool.unownedNanos = 4_000_000_000L;
        assertThat(scraped("unowned_seconds_total", "jdbc:main")).isEqualTo(5);
        pool.unowned = -1;
        assertThat(scraped("unowned", "jdbc:main")).isZero();
    }

    @Test
    void aTransactionMakesItsPoolKnown() {
        TestPool pool = new TestPool("jdbc:late", 10);
        metrics.transaction(pool, TransactionOutcome.EVICTED);
        metrics.poolKnown(pool);
        pool.unowned = 1;

        assertThat(scraped("share", "jdbc:late")).isEqualTo(0.1);
        assertThat(Scrape.of(registry).value("hangup_transactions_total{outcome=\"evicted\",pool=\"jdbc:late\"}"))
                .isEqualTo(1);
    }

    @Test
    void workersOfUnownedCallsHoldTheirPool() {
        WorkerPool workers = new WorkerPool(() -> 4);
        try (TestRuntime runtime = new TestRuntime(workers, metrics)) {
            metrics.poolKnown(workers);
            CallScope call = runtime.begin("GET /work", OBSERVED);
            call.callerGone(CancelReason.CALLER_CLOSED);
            work(Duration.ofMillis(5));
            assertThat(scraped("share", "workers")).isEqualTo(0.25);
            assertThat(scraped("unowned_seconds_total", "workers")).isGreaterThanOrEqualTo(0.005);
            end(call);

            assertThat(scraped("share", "workers")).isZero();
            assertThat(scraped("unowned_seconds_total", "workers"))
                    .isCloseTo((call.endedAt() - call.unownedSince()) / 1e9, within(0.001));
        }
    }

    private double scraped(String what, String pool) {
        return Scrape.of(registry).value("hangup_pool_" + what + "{pool=\"" + pool + "\"}");
    }
}
