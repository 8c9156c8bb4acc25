package dev.hangup.it;

import static dev.hangup.it.Scrape.endpoint;
import static dev.hangup.it.Scrape.outcome;
import static dev.hangup.it.Scrape.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;

/** A caller hangs up, and its worker is free; a caller who stays is not touched. */
@EachLine
final class DepartureIT {

    private static final Entry CANCEL = Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(30));
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /slow", CANCEL)
            .endpoint("GET /late", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(400)))
            .endpoint("POST /slow", CANCEL)
            .endpoint("GET /loop", CANCEL.interrupt(false))
            .build();

    /** The time in which a departure is to be seen and its work to be stopped, generous for a busy machine. */
    private static final Duration SOON = Duration.ofMillis(500);

    private static final Duration A_MINUTE = Duration.ofSeconds(60);

    @EachContainer
    @DisplayName("case 1: the only worker of a refreshed page is free for the second request")
    void theOnlyWorkerIsFreeForTheSecondRequest(ContainerKind kind) throws IOException {
        AtomicInteger entered = new AtomicInteger();
        Site site = new Site().maxThreads(1).servlet("/slow", new LambdaServlet((request, response) -> {
            if (entered.incrementAndGet() == 1) {
                Thread.sleep(A_MINUTE.toMillis());
            }
            response.getWriter().print("alone with " + Thread.currentThread().isInterrupted());
        }));
        try (Stage stage = Stage.start(kind, POLICY, site);
                RawClient second = stage.client()) {
            RawClient first = stage.client().get("/slow");
            await().untilAsserted(() -> assertThat(entered).hasValue(1));
            await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
            first.close();
            assertThat(second.get("/slow").patience(SOON).response().body()).isEqualTo("alone with false");
            assertThat(stage.turnstile.interrupted).hasValue(0);
        }
    }

    @EachContainer
    @DisplayName("case 2: the end of a POST's body is no departure, its caller's FIN is")
    void theEndOfABodyIsNoDeparture(ContainerKind kind) throws IOException {
        AtomicInteger read = new AtomicInteger();
        AtomicInteger interrupted = new AtomicInteger();
        Site site = new Site().servlet("/slow", new LambdaServlet((request, response) -> {
            int bytes = request.getInputStream().readAllBytes().length;
            assertThat(request.getInputStream().read()).isEqualTo(-1);
            read.incrementAndGet();
            try {
                Thread.sleep(request.getQueryString() == null ? A_MINUTE.toMillis() : 700);
                response.getWriter().print(bytes);
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
                throw e;
            }
        }));
        byte[] body = "x".repeat(50_000).getBytes(StandardCharsets.ISO_8859_1);
        String chunked =
                RawClient.head("POST", "/slow?stay", "Transfer-Encoding: chunked") + "\r\n3\r\nabc\r\n0\r\n\r\n";
        try (Stage stage = Stage.start(kind, POLICY, site);
                RawClient staying = stage.client();
                RawClient chunking = stage.client()) {
            staying.post("/slow?stay", body);
            chunking.send(chunked);
            assertThat(staying.response().body()).isEqualTo("50000");
            assertThat(chunking.response().body()).isEqualTo("3");
            assertThat(stage.scrape().count("hangup_calls_total", outcome("completed")))
                    .isEqualTo(2);

            RawClient fin = stage.client().post("/slow", body);
            RawClient rst = stage.client().post("/slow", body);
            await().untilAsserted(() -> assertThat(read).hasValue(4));
            fin.close();
            rst.rst();
            await().atMost(SOON).untilAsserted(() -> assertThat(interrupted).hasValue(2));
            await().until(() -> stage.turnstile.inside() == 0);
            assertThat(stage.scrape().count("hangup_cancelled_total", reason("caller_closed")))
                    .isEqualTo(1);
            assertThat(stage.scrape().count("hangup_cancelled_total", reason("caller_reset")))
                    .isEqualTo(1);
        }
    }

    @EachContainer
    @DisplayName(
            "case 3: a loop that polls isCancelled ends at its next poll, without a write and without an interrupt")
    void aPollingLoopEndsAtItsNextPoll(ContainerKind kind) throws IOException {
        AtomicLong polls = new AtomicLong();
        AtomicInteger interrupts = new AtomicInteger();
        Site site = new Site().servlet("/loop", new LambdaServlet((request, response) -> {
            Call call = Call.current();
            while (!call.isCancelled()) {
                polls.incrementAndGet();
            }
            interrupts.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
            call.throwIfCancelled();
        }));
        try (Stage stage = Stage.start(kind, POLICY, site)) {
            RawClient client = stage.client().get("/loop");
            await().until(() -> polls.get() > 0);
            await().pollDelay(Duration.ofMillis(300)).until(() -> true);
            client.close();
            await().atMost(SOON).until(() -> stage.turnstile.inside() == 0);
            assertThat(interrupts).hasValue(0);
            assertThat(stage.scrape().count("hangup_calls_total", endpoint("GET /loop"), outcome("cancelled")))
                    .isEqualTo(1);
        }
    }

    @EachContainer
    void whoStaysPastTheDeadlineIsToldSoAndKeepsTheConnection(ContainerKind kind) throws IOException {
        Site site = new Site().servlet("/late", new LambdaServlet((request, response) -> {
            response.setHeader("X-Half", "made");
            response.getWriter().print("half");
            Thread.sleep(A_MINUTE.toMillis());
        }));
        try (Stage stage = Stage.start(kind, POLICY, site);
                RawClient client = stage.client()) {
            for (int i = 1; i <= 2; i++) {
                RawResponse response = client.get("/late").response();
                assertThat(response.status()).isEqualTo(504);
                assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
                assertThat(response.header("X-Half")).isNull();
                assertThat(response.body())
                        .contains("GET /late")
                        .contains("0.400 s")
                        .doesNotContain("half");
                await().until(() -> stage.turnstile.inside() == 0);
                assertThat(stage.scrape().count("hangup_cancelled_total", reason("endpoint_deadline")))
                        .isEqualTo(i);
            }
        }
    }
}
