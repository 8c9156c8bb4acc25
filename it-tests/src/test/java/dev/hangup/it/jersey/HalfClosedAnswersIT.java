package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.Logged;
import dev.hangup.it.RawClient;
import dev.hangup.it.Stage;
import dev.hangup.policy.Entry;
import dev.hangup.policy.HalfClose;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.glassfish.jersey.message.GZipEncoder;
import org.glassfish.jersey.server.ChunkedOutput;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.filter.EncodingFilter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;

/** A FIN may be half a close: whoever reads on has the whole answer where the policy says so, and else no half that looks whole. */
@EachLine
final class HalfClosedAnswersIT {
    private static final List<String> WAYS = List.of("/stream", "/events", "/chunks");
    private static final String LAST_CHUNK = "\r\n0\r\n\r\n";
    private static final String LAST = "the last";
    private static final int LONGER_THAN_ANY_BUFFER = 200_000;

    private static final ExecutorService POOL = Executors.newCachedThreadPool();
    private static final Semaphore BEGUN = new Semaphore(0);
    private static final Semaphore GO_ON = new Semaphore(0);

    @BeforeEach
    void begin() {
        BEGUN.drainPermits();
        GO_ON.drainPermits();
    }

    @AfterAll
    static void end() {
        POOL.shutdownNow();
    }

    private static Policy policy(HalfClose halfClose) {
        var policy = Policy.builder().halfClose(halfClose).settings(Settings.DEFAULTS.withGrace(Duration.ZERO));
        WAYS.forEach(way -> policy.endpoint("GET " + way, Entry.of(Mode.CANCEL)));
        return policy.build();
    }

    /** Each sends something, waits until it may go on, and ends. */
    @Path("/")
    public static final class Answers {
        @GET
        @Path("stream")
        @Produces(MediaType.TEXT_PLAIN)
        public StreamingOutput stream() {
            return out -> {
                byte[] random = new byte[LONGER_THAN_ANY_BUFFER]; // which gzip does not make shorter
                new Random(1).nextBytes(random);
                out.write(random);
                out.flush();
                BEGUN.release();
                while (!GO_ON.tryAcquire()) {
                    Call.current().throwIfCancelled();
                    LockSupport.parkNanos(10_000_000);
                }
                out.write(LAST.getBytes(StandardCharsets.US_ASCII));
            };
        }

        @GET
        @Path("events")
        @Produces(MediaType.SERVER_SENT_EVENTS)
        public void events(@Context SseEventSink sink, @Context Sse sse) {
            POOL.execute(() -> {
                sink.send(sse.newEvent("the first")).whenComplete((sent, failure) -> BEGUN.release());
                GO_ON.acquireUninterruptibly();
                try (sink) {
                    if (!sink.isClosed()) {
                        sink.send(sse.newEvent(LAST));
                    }
                } catch (IOException closed) {
                    BEGUN.release();
                }
            });
        }

        @GET
        @Path("chunks")
        @Produces(MediaType.TEXT_PLAIN)
        public ChunkedOutput<String> chunks() {
            ChunkedOutput<String> chunks = new ChunkedOutput<>(String.class);
            POOL.execute(() -> {
                try (chunks) {
                    chunks.write("the first");
                    BEGUN.release();
                    GO_ON.acquireUninterruptibly();
                    chunks.write(LAST);
                } catch (IOException closed) {
                    BEGUN.release();
                }
            });
            return chunks;
        }
    }

    /** Of what is compressed, too: the end of what the encoder has begun would make it whole. */
    @EachContainer
    void aFinIsAnsweredByACut(ContainerKind kind) throws Exception {
        ResourceConfig application = new ResourceConfig(Answers.class);
        EncodingFilter.enableFor(application, GZipEncoder.class);
        try (Stage stage = Stage.start(kind, policy(HalfClose.GONE), JerseySite.of("/*", application));
                Logged log = Logged.begin()) {
            for (String way : WAYS) {
                assertThat(halfClosed(stage, way)).as(way).doesNotContain(LAST).doesNotEndWith(LAST_CHUNK);
            }
            assertThat(halfClosed(stage, "/stream", "Accept-Encoding: gzip"))
                    .containsIgnoringCase("content-encoding: gzip")
                    .doesNotEndWith(LAST_CHUNK);
            await().untilAsserted(() ->
                    assertThat(stage.scrape().count("hangup_calls_total")).isEqualTo(WAYS.size() + 1));
            GO_ON.release(WAYS.size());
            log.assertNoAlarms();
        }
    }

    @EachContainer
    void aFinThatIsToleratedHasTheWholeAnswer(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, policy(HalfClose.TOLERATE), JerseySite.of(Answers.class))) {
            for (String way : WAYS) {
                GO_ON.drainPermits();
                POOL.execute(() -> {
                    LockSupport.parkNanos(
                            600_000_000); // longer than the pause between two looks at a half-closed connection
                    GO_ON.release();
                });
                assertThat(halfClosed(stage, way)).as(way).contains(LAST).endsWith(LAST_CHUNK);
            }
        }
    }

    /** All that comes until the server ends the connection, one way or the other. */
    private static String halfClosed(Stage stage, String path, String... headers) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), stage.container.port())) {
            socket.setSoTimeout(15_000);
            socket.getOutputStream()
                    .write((RawClient.head("GET", path, headers) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            assertThat(BEGUN.tryAcquire(15, TimeUnit.SECONDS)).isTrue();
            socket.shutdownOutput();
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] piece = new byte[8_192];
            try {
                for (int count = socket.getInputStream().read(piece);
                        count >= 0;
                        count = socket.getInputStream().read(piece)) {
                    all.write(piece, 0, count);
                }
            } catch (SocketException reset) {
                return all.toString(StandardCharsets.ISO_8859_1);
            }
            return all.toString(StandardCharsets.ISO_8859_1);
        }
    }
}
