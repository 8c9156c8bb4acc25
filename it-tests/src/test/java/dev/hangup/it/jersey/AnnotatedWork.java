package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.it.RawResponse;
import dev.hangup.it.Scrape;
import dev.hangup.it.Stage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What annotated methods do, and what became of it; and how a call looks that the annotation's deadline of 700 ms has stopped. */
final class AnnotatedWork {
    static final AtomicInteger BEGUN = new AtomicInteger();
    static final AtomicInteger INTERRUPTED = new AtomicInteger();
    static final AtomicInteger DONE = new AtomicInteger();

    private AnnotatedWork() {}

    static String work(long millis) {
        BEGUN.incrementAndGet();
        try {
            new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            INTERRUPTED.incrementAndGet();
            Thread.currentThread().interrupt();
            Call.current().throwIfCancelled();
            throw new IllegalStateException("interrupted, and not by a cancel", e);
        }
        DONE.incrementAndGet();
        return "done";
    }

    static void assertStopped(Stage stage, RawResponse late, String endpoint) {
        assertThat(late.status()).as(endpoint).isEqualTo(504);
        assertThat(late.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(late.body()).contains(endpoint + " did not finish within its deadline of 0.700 s");
        await().untilAsserted(() -> assertThat(stage.scrape()
                        .count("hangup_cancelled_total", Scrape.endpoint(endpoint), Scrape.reason("endpoint_deadline")))
                .as(endpoint)
                .isEqualTo(1));
        assertThat(stage.scrape().sum("hangup_cancelling", Scrape.endpoint(endpoint)))
                .as(endpoint)
                .isEqualTo(1);
        assertThat(stage.scrape().sum("hangup_deadline_seconds", Scrape.endpoint(endpoint)))
                .as(endpoint)
                .isEqualTo(0.7);
    }
}
