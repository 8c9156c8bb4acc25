package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.call.CallerAware;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.Logged;
import dev.hangup.it.RawClient;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.glassfish.jersey.server.ChunkedOutput;
import org.junit.jupiter.api.BeforeEach;

/** Where only Jersey's routing says that an endpoint is annotated, nothing guards its response; it ends with its call all the same. */
@EachLine
final class KnownLateIT {
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .build();
    private static final int LONGER_THAN_JERSEYS_BUFFER = 20_000;
    private static final Queue<ChunkedOutput<String>> OPEN = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void begin() {
        OPEN.clear();
    }

    @Path("/")
    public static final class Root {
        @Path("any")
        public Object any() {
            return new Leaf();
        }
    }

    public static final class Leaf {
        @GET
        @Path("deadline")
        @Produces(MediaType.TEXT_PLAIN)
        @CallerAware(deadline = "3s")
        public ChunkedOutput<String> deadline() throws IOException {
            return open();
        }

        @GET
        @Path("departure")
        @Produces(MediaType.TEXT_PLAIN)
        @CallerAware(deadline = "60s")
        public ChunkedOutput<String> departure() throws IOException {
            return open();
        }

        @GET
        @Path("stream")
        @Produces(MediaType.TEXT_PLAIN)
        @CallerAware(deadline = "3s")
        public StreamingOutput stream() {
            return out -> {
                while (true) {
                    out.write(new byte[LONGER_THAN_JERSEYS_BUFFER]);
                    out.flush();
                    Call.current().throwIfCancelled();
                    LockSupport.parkNanos(20_000_000);
                }
            };
        }

        @GET
        @Path("silent")
        @Produces(MediaType.TEXT_PLAIN)
        @CallerAware(deadline = "500ms")
        public StreamingOutput silent() {
            return out -> {
                out.write("not sent yet".getBytes(StandardCharsets.US_ASCII));
                while (true) {
                    Call.current().throwIfCancelled();
                    LockSupport.parkNanos(20_000_000);
                }
            };
        }

        @GET
        @Path("stopped")
        @Produces(MediaType.TEXT_PLAIN)
        @CallerAware(deadline = "3s")
        public StreamingOutput stopped() {
            return out -> {
                out.write(new byte[LONGER_THAN_JERSEYS_BUFFER]);
                out.flush();
                awaitCancel();
            };
        }

        @GET
        @Path("unsent")
        @Produces(MediaType.TEXT_PLAIN)
        @CallerAware(deadline = "500ms")
        public StreamingOutput unsent() {
            return out -> {
                out.write("not sent yet".getBytes(StandardCharsets.US_ASCII));
                awaitCancel();
            };
        }

        /** And says not a word of what has become of the rest. */
        private static void awaitCancel() {
            while (!Call.current().isCancelled()) {
                LockSupport.parkNanos(20_000_000);
            }
        }

        private static ChunkedOutput<String> open() throws IOException {
            ChunkedOutput<String> chunks = new ChunkedOutput<>(String.class);
            chunks.write("begun");
            OPEN.add(chunks);
            return chunks;
        }
    }

    @EachContainer
    void aStreamThatIsCutShortDoesNotLookWhole(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, JerseySite.of(Root.class));
                Logged log = Logged.begin()) {
            try (RawClient begun = stage.client().get("/any/stream")) {
                assertThat(begun.head().status()).isEqualTo(200);
                assertThat(endsAsIfWhole(begun)).isFalse();
            }
            assertThat(RawClient.ask(stage.container, "/any/silent").status()).isEqualTo(504);
            await().untilAsserted(() ->
                    assertThat(stage.scrape().count("hangup_calls_total")).isEqualTo(2));
            log.assertNoAlarms();
        }
    }

    @EachContainer
    void chunksEnd(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, JerseySite.of(Root.class));
                Logged log = Logged.begin()) {
            try (RawClient staying = stage.client().get("/any/deadline")) {
                await().until(() -> OPEN.size() == 1);
                await().until(OPEN.remove()::isClosed);
                assertThat(staying.head().status()).isEqualTo(200);
                assertThat(endsAsIfWhole(staying)).isFalse();
            }
            log.assertNoAlarms(); // now: a reset that meets a write which nothing guards is logged by Jersey
            RawClient leaving = stage.client().get("/any/departure");
            await().until(() -> OPEN.size() == 1);
            assertThat(leaving.head().status()).isEqualTo(200);
            await().until(() -> leaving.heard().contains("begun"));
            leaving.rst();
            await().until(OPEN.remove()::isClosed);
            await().untilAsserted(() ->
                    assertThat(stage.scrape().count("hangup_calls_total")).isEqualTo(2));
        }
    }

    @EachContainer
    void whatStopsForItsDeadlineWithoutAWordIsCutOrAnswered(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, JerseySite.of(Root.class));
                Logged log = Logged.begin()) {
            assertThat(RawClient.ask(stage.container, "/any/unsent").status()).isEqualTo(504);
            try (RawClient begun = stage.client().get("/any/stopped")) {
                assertThat(begun.head().status()).isEqualTo(200);
                assertThat(endsAsIfWhole(begun)).isFalse();
            }
            log.assertNoAlarms();
        }
    }

    /** Whether there is a last chunk. */
    private static boolean endsAsIfWhole(RawClient begun) {
        try {
            while (!begun.line().equals("0")) {}
            return true;
        } catch (IOException cut) {
            return false;
        }
    }
}
