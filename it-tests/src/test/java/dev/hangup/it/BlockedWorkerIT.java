package dev.hangup.it;

import static dev.hangup.it.Scrape.outcome;
import static dev.hangup.it.Scrape.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Workers that wait for a caller inside the container's own reads and writes, where no interrupt reaches them. */
final class BlockedWorkerIT {

    private static final Duration DEADLINE = Duration.ofMillis(400);
    private static final Duration ESCALATION = Duration.ofMillis(300);
    private static final Duration FREE_WITHIN = Duration.ofSeconds(1);
    private static final Entry CANCEL = Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(60));
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withEscalateAfter(ESCALATION))
            .endpoint("GET /deadline/{how}", CANCEL.normal(DEADLINE))
            .endpoint("POST /deadline/{how}", CANCEL.normal(DEADLINE))
            .endpoint("GET /departure/{how}", CANCEL)
            .build();

    @EachContainer
    void aPendingWriteEndsSoonAfterTheDeadline(ContainerKind kind) throws Exception {
        try (Stream stream = new Stream(kind);
                RawClient reader = stream.stage.client()) {
            reader.get("/deadline/listener");
            stream.isFreeWithin(DEADLINE.plus(FREE_WITHIN), "endpoint_deadline");
            assertThatThrownBy(reader::response)
                    .as("a truncated answer must not look whole")
                    .isInstanceOf(IOException.class);
        }
    }

    @EachContainer
    void aBlockedWriteEndsSoonAfterAHalfClose(ContainerKind kind) throws Exception {
        for (String how : new String[] {"sync", "async", "listener"}) {
            try (Stream stream = new Stream(kind);
                    RawClient reader = stream.stage.client()) {
                reader.get("/departure/" + how);
                await().pollDelay(DEADLINE).until(() -> true); // by now the worker is blocked
                reader.fin();
                stream.isFreeWithin(FREE_WITHIN, "caller_closed");
            }
        }
    }

    @EachContainer
    void aBlockedReadEndsWithTheEscalation(ContainerKind kind) throws Exception {
        try (Stream stream = new Stream(kind);
                RawClient sender = stream.stage.client()) {
            sender.send(RawClient.head("POST", "/deadline/read") + "Content-Length: 100\r\n\r\nhalf");
            stream.isFreeWithin(DEADLINE.plus(ESCALATION).plus(FREE_WITHIN), "endpoint_deadline");
            assertThat(knows(sender)).isTrue();
        }
    }

    /** The read fails an instant before the connection is broken off: the answer may just get out. */
    private static boolean knows(RawClient sender) throws IOException {
        try {
            return sender.patience(FREE_WITHIN).response().status() == 504;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException brokenOff) {
            return true;
        }
    }

    /** A server that writes for ever, or reads to the end. */
    private static final class Stream implements AutoCloseable {

        private static final byte[] PIECE = new byte[32_000];

        final Stage stage;
        private final ContainerKind kind;
        private final ExecutorService workers = Executors.newCachedThreadPool();
        private final Silence silence = Silence.ofContainers();

        Stream(ContainerKind kind) {
            this.kind = kind;
            this.stage = Stage.start(kind, POLICY, new Site().servlet("/*", new LambdaServlet(this::handle)));
            stage.scrape(); // the first takes a second on a busy machine
        }

        private void handle(HttpServletRequest request, HttpServletResponse response) throws IOException {
            switch (request.getRequestURI().replaceFirst(".*/", "")) {
                case "sync" -> writeForEver(response);
                case "async" -> {
                    AsyncContext async = request.startAsync();
                    Call.current().executor(workers).execute(() -> {
                        try {
                            writeForEver(async.getResponse());
                        } catch (IOException e) {
                            async.complete();
                        }
                    });
                }
                case "listener" -> response.getOutputStream().setWriteListener(new Writer(request.startAsync()));
                default -> request.getInputStream().readAllBytes();
            }
        }

        private static void writeForEver(ServletResponse response) throws IOException {
            while (true) {
                response.getOutputStream().write(PIECE);
            }
        }

        void isFreeWithin(Duration time, String why) {
            long began = System.nanoTime();
            await().pollInterval(Duration.ofMillis(10))
                    .until(() -> stage.scrape().sum("hangup_calls_total") == 1);
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            System.out.println(kind + " blocked worker free " + took.toMillis() + " ms, " + why);
            assertThat(took).isLessThan(time);
            await().atMost(FREE_WITHIN).untilAsserted(() -> {
                assertThat(stage.turnstile.inside()).isZero();
                assertThat(stage.container.busyWorkers()).isLessThanOrEqualTo(1);
            });
            assertThat(stage.scrape().count("hangup_calls_total", outcome("cancelled")))
                    .isEqualTo(1);
            assertThat(stage.scrape().count("hangup_cancelled_total", reason(why)))
                    .isEqualTo(1);
            assertThat(stage.turnstile.interrupted).hasValue(0);
        }

        @Override
        public void close() {
            stage.close();
            workers.shutdownNow();
            silence.close();
        }
    }

    /** Writes whenever it may, without a worker of its own. */
    private record Writer(AsyncContext async) implements WriteListener {

        @Override
        public void onWritePossible() throws IOException {
            ServletOutputStream out = async.getResponse().getOutputStream();
            while (out.isReady()) {
                out.write(Stream.PIECE);
            }
        }

        @Override
        public void onError(Throwable failure) {
            async.getRequest().setAttribute("failure", failure); // and forgets to complete
        }
    }
}
