package dev.hangup.it;

import static dev.hangup.it.Scrape.label;
import static dev.hangup.it.Scrape.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Callers who leave while their requests wait for a worker: their work never begins. */
final class DeadOnArrivalIT {

    private static final int WORKERS = 10;
    private static final int QUEUED = 50;

    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /gate", Entry.of(Mode.CANCEL))
            .endpoint("GET /work", Entry.of(Mode.CANCEL))
            .endpoint("POST /work", Entry.of(Mode.CANCEL))
            .endpoint("GET /observed", Entry.of(Mode.OBSERVE))
            .build();

    private final Gate gate = new Gate();
    private final AtomicInteger begun = new AtomicInteger();

    private Site site() {
        LambdaServlet work = new LambdaServlet((request, response) -> {
            begun.incrementAndGet();
            response.getWriter().print("done");
        });
        return new Site()
                .maxThreads(WORKERS)
                .servlet("/gate", gate)
                .servlet("/work", work)
                .servlet("/observed", work);
    }

    @EachContainer
    void workOfWhoLeftInTheQueueNeverBegins(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, site())) {
            List<RawClient> holders = fill(stage);
            for (int i = 0; i < QUEUED; i++) {
                stage.client().get("/work").close();
            }
            gate.open();
            await().untilAsserted(() ->
                    assertThat(stage.scrape().count("hangup_calls_total")).isEqualTo(WORKERS + QUEUED));
            Scrape scrape = stage.scrape();
            System.out.printf("%s: of %d who left in the queue %d were worked for%n", kind, QUEUED, begun.get());
            assertThat(begun).hasValue(0);
            assertThat(scrape.count("hangup_calls_total", outcome("expired_in_queue")))
                    .isEqualTo(QUEUED);
            assertThat(scrape.count("hangup_cancelled_total", label("reason", "caller_closed")))
                    .isEqualTo(QUEUED);
            assertThat(scrape.count("hangup_caller_patience_seconds_count")).isZero();
            close(holders);
        }
    }

    /** They wait, and are served, each after a look. */
    @EachContainer
    void whoStayedInTheQueueIsServed(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, site())) {
            List<RawClient> holders = fill(stage);
            List<RawClient> staying = new ArrayList<>();
            for (int i = 0; i < QUEUED; i++) {
                staying.add(stage.client().get("/work"));
            }
            gate.open();
            for (RawClient client : staying) {
                assertThat(client.response().body()).isEqualTo("done");
            }
            assertThat(begun).hasValue(QUEUED);
            await().untilAsserted(() -> assertThat(stage.scrape().count("hangup_calls_total", outcome("completed")))
                    .isEqualTo(WORKERS + QUEUED));
            close(staying);
            close(holders);
        }
    }

    /** Observed endpoints are counted and nothing else; a body may still be on its way, and its end is no departure. */
    @EachContainer
    void whoOnlyIsObservedOrSendsABodyIsWorkedFor(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, site())) {
            List<RawClient> holders = fill(stage);
            stage.client().get("/observed").close();
            RawClient posting = stage.client().send("POST /work HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody");
            posting.close();
            gate.open();
            await().until(() -> begun.get() == 2);
            await().untilAsserted(() ->
                    assertThat(stage.scrape().count("hangup_calls_total")).isEqualTo(WORKERS + 2));
            assertThat(stage.scrape().count("hangup_calls_total", outcome("expired_in_queue")))
                    .isZero();
            close(holders);
        }
    }

    /** All workers are at the gate, and old enough to be watched. */
    private List<RawClient> fill(Stage stage) throws Exception {
        List<RawClient> holders = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            holders.add(stage.client().get("/gate"));
        }
        await().until(() -> gate.entered.get() == WORKERS);
        Thread.sleep(300); // longer than the grace, and the watcher has counted
        return holders;
    }

    private static void close(List<RawClient> clients) throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }
}
