package dev.hangup.it;

import static dev.hangup.it.Scrape.outcome;
import static dev.hangup.it.Scrape.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A deadline that covers the first byte: a download that has begun is left alone as long as it moves. */
final class CoversIT {

    private static final int PIECES = 14;
    private static final int PIECE = 1000;
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final int LARGE = 24 << 20;

    private static final Policy POLICY = PolicyFile.parse("hangup.yaml", """
                        caller-deadline: { headers: [x-request-timeout-ms], trusted: [127.0.0.1] }
                        deadlines:
                          endpoints:
                            "GET /first/moving":  { mode: cancel, normal: 2s, covers: first-byte }
                            "GET /first/held":    { mode: cancel, normal: 1s, covers: first-byte }
                            "GET /first/stalled": { mode: cancel, normal: 1s, covers: first-byte }
                            "GET /first/large":   { mode: cancel, normal: 2s, covers: first-byte }
                            "GET /whole/moving":  { mode: cancel, normal: 2s, covers: response }
                        """).policy();

    private final AtomicInteger interrupted = new AtomicInteger();

    private Site site() {
        return new Site()
                .servlet("/first/moving", work(PIECES, true, false))
                .servlet("/whole/moving", work(PIECES, true, false))
                .servlet("/first/held", work(PIECES * 40, false, false))
                .servlet("/first/stalled", work(1, true, true))
                .servlet("/first/large", new LambdaServlet((request, response) -> {
                    response.setContentLength(LARGE);
                    response.getOutputStream().write(new byte[LARGE]);
                }));
    }

    /** Writes pieces with pauses between them, each on its way at once, or all kept in the response's buffer. */
    private LambdaServlet work(int pieces, boolean sent, boolean stalling) {
        return new LambdaServlet((request, response) -> {
            response.setBufferSize(PIECES * PIECE * 2);
            try {
                for (int i = 0; i < pieces; i++) {
                    response.getOutputStream().write(new byte[sent ? PIECE : 1]);
                    if (sent) {
                        response.flushBuffer();
                    }
                    Thread.sleep(PAUSE.toMillis());
                }
                if (stalling) {
                    Thread.sleep(60_000);
                }
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
                throw e;
            }
        });
    }

    @EachContainer
    void whatMovesIsLeftAlone(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, site())) {
            RawResponse response = RawClient.ask(stage.container, "/first/moving");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).hasSize(PIECES * PIECE);
            assertThatThrownBy(() -> RawClient.ask(stage.container, "/whole/moving"))
                    .as("the same where the deadline covers the whole answer")
                    .isInstanceOf(IOException.class);
            await().untilAsserted(() -> {
                assertThat(stage.scrape().count("hangup_calls_total", outcome("completed")))
                        .isEqualTo(1);
                assertThat(stage.scrape().count("hangup_cancelled_total", reason("endpoint_deadline")))
                        .isEqualTo(1);
            });
        }
    }

    @EachContainer
    void whatHasNotBegunIsCut(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, site())) {
            assertThat(RawClient.ask(stage.container, "/first/held").status()).isEqualTo(504);
        }
    }

    @EachContainer
    void whatStandsStillIsCut(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, site())) {
            assertThatThrownBy(() -> RawClient.ask(stage.container, "/first/stalled"))
                    .isInstanceOf(IOException.class);
            await().untilAsserted(() -> assertThat(interrupted).hasValue(1));
            await().untilAsserted(() -> assertThat(
                            stage.scrape().count("hangup_cancelled_total", reason("endpoint_deadline")))
                    .isEqualTo(1));
        }
    }

    @EachContainer
    void theCallersOwnDeadlineAndItsDepartureHoldAllTheSame(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, site())) {
            assertThatThrownBy(() -> RawClient.ask(stage.container, "/first/moving", "x-request-timeout-ms: 2500"))
                    .isInstanceOf(IOException.class);
            await().untilAsserted(
                            () -> assertThat(stage.scrape().count("hangup_cancelled_total", reason("caller_deadline")))
                                    .isEqualTo(1));
            stage.client().get("/first/stalled").close();
            await().untilAsserted(() -> {
                Scrape scrape = stage.scrape();
                assertThat(scrape.count("hangup_cancelled_total", reason("caller_closed"))
                                + scrape.count("hangup_cancelled_total", reason("caller_reset")))
                        .isEqualTo(1);
            });
        }
    }

    /** One write, which takes three times as long as the deadline because its caller reads slowly. */
    @EachContainer
    void aLargeWriteMovesWhileItsCallerReads(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, site());
                Socket slow = new Socket(InetAddress.getLoopbackAddress(), stage.container.port())) {
            slow.setSoTimeout(20_000);
            slow.getOutputStream()
                    .write("GET /first/large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            long read = 0;
            long begun = System.nanoTime();
            InputStream in = slow.getInputStream();
            byte[] piece = new byte[1 << 19];
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                read += n;
                if (System.nanoTime() - begun < Duration.ofMillis(3500).toNanos()) {
                    Thread.sleep(60);
                }
            }
            assertThat(read).isGreaterThan(LARGE);
            assertThat(System.nanoTime() - begun)
                    .isGreaterThan(Duration.ofSeconds(3).toNanos());
        }
    }
}
