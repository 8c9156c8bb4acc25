package dev.hangup.metrics;

import static dev.hangup.metrics.TestRuntime.OBSERVED;
import static dev.hangup.metrics.TestRuntime.end;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.call.Pool;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What metrics cost those who only pass. */
final class RequestPathTest {
    private static final int CALLS = 100_000;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final HangupMetrics metrics = new HangupMetrics();
    private final TestRuntime runtime = new TestRuntime(metrics);

    RequestPathTest() {
        metrics.bindTo(registry);
    }

    @AfterEach
    void stop() {
        runtime.close();
    }

    @Test
    void anOrdinaryCallAllocatesNothing() {
        assertThat(allocatedBy("GET /ordinary")).isLessThan(CALLS / 100);
    }

    @Test
    void nothingIsAllocatedForTheThousandthUnknownEndpointEither() {
        for (int i = 0; i < 1_000; i++) {
            end(runtime.begin("GET /" + i, OBSERVED));
        }
        assertThat(allocatedBy("GET /one/too/many")).isLessThan(CALLS / 100);
    }

    /** Bytes on this thread, for all the calls together. */
    private long allocatedBy(String endpoint) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        CallScope call = runtime.begin(endpoint, OBSERVED);
        end(call);
        for (int i = 0; i < 1_000; i++) {
            metrics.ended(call, Outcome.COMPLETED);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < CALLS; i++) {
            metrics.ended(call, Outcome.COMPLETED);
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /** A scrape that hangs in the middle, in somebody's pool, holds up no request, not even the first of its endpoint. */
    @Test
    @Timeout(30)
    void aHangingScrapeHoldsUpNoRequest() throws InterruptedException {
        CountDownLatch scraping = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        metrics.poolKnown(new HangingPool(scraping, goOn));
        end(runtime.begin("GET /known", OBSERVED));
        Thread scraper = new Thread(registry::scrape);
        scraper.start();
        scraping.await();
        try {
            for (String endpoint : new String[] {"GET /known", "GET /new"}) {
                CallScope call = runtime.begin(endpoint, OBSERVED);
                call.callerGone(CancelReason.CALLER_CLOSED);
                end(call);
            }
        } finally {
            goOn.countDown();
        }
        scraper.join();

        Scrape scrape = Scrape.of(registry);
        assertThat(scrape.value("hangup_calls_total{endpoint=\"GET /new\",outcome=\"would_cancel\"}"))
                .isEqualTo(1);
    }

    private record HangingPool(CountDownLatch scraping, CountDownLatch goOn) implements Pool {
        @Override
        public String name() {
            return "hanging";
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public int unowned() {
            scraping.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return 0;
        }

        @Override
        public long unownedNanos() {
            return 0;
        }
    }
}
