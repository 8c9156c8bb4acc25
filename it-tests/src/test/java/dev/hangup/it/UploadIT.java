package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.HalfClose;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A caller that is still sending is there, however slowly it sends. Every call is watched from its first moment. */
@EachLine
final class UploadIT {

    private static final int CLIENTS = 20;
    private static final int UPLOADS = 10;
    private static final long SEED = 70;
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("POST /digest", Entry.of(Mode.CANCEL))
            .endpoint("POST /unread", Entry.of(Mode.CANCEL).normal(DEADLINE))
            .build();

    @EachContainer
    void slowButMovingBodyIsNeverGone(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(new Site()
                        .filter(new HangupFilter(hangup))
                        .servlet("/digest", new LambdaServlet(UploadIT::digest)))) {
            Crowd.of(CLIENTS, client -> {
                Random random = new Random(SEED + client);
                try (RawClient connection = RawClient.connect(container)) {
                    for (int i = 0; i < UPLOADS; i++) {
                        byte[] body = new byte[1 + random.nextInt(60_000)];
                        random.nextBytes(body);
                        upload(connection, random, body, random.nextBoolean());
                        RawResponse response = connection.response();
                        assertThat(response.status()).as("%s", response).isEqualTo(200);
                        assertThat(response.body()).isEqualTo(digest(body));
                    }
                }
            });
            assertThat(ledger.departures()).as("%s", ledger).isZero();
            assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(CLIENTS * UPLOADS);
        }
    }

    /**
     * The reader takes the last bytes between the select that saw them and the look that follows: readable, nothing there, body
     * fully read. All at once, so that the watcher comes late to most of them.
     */
    @EachContainer
    void lastBytesTakenByTheReaderAreNoDeparture(ContainerKind kind) throws Exception {
        int rounds = 60;
        Ledger ledger = new Ledger();
        CyclicBarrier together = new CyclicBarrier(CLIENTS);
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(new Site()
                        .filter(new HangupFilter(hangup))
                        .servlet("/digest", new LambdaServlet(UploadIT::digest)))) {
            Crowd.of(CLIENTS, client -> {
                byte[] body = {1, 2, 3, (byte) client};
                try (RawClient connection = RawClient.connect(container)) {
                    for (int i = 0; i < rounds; i++) {
                        connection.send(RawClient.head("POST", "/digest", "Content-Length: 4") + "\r\n");
                        Thread.sleep(8); // watched by then, and waiting for the body
                        together.await(10, TimeUnit.SECONDS);
                        connection.send(body);
                        assertThat(connection.response().body()).isEqualTo(digest(body));
                    }
                }
            });
            assertThat(ledger.departures()).as("%s", ledger).isZero();
        }
    }

    /** Which of the two it is depends on who looks first, the reader or the watcher; and an empty read would be a lie. */
    @EachContainer
    void bodyCutInTheMiddleIsNoticedOrFailsTheRead(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        AtomicInteger failed = new AtomicInteger();
        AtomicInteger whole = new AtomicInteger();
        LambdaServlet reading = new LambdaServlet((request, response) -> {
            try {
                request.getInputStream().transferTo(new ByteArrayOutputStream());
                whole.incrementAndGet();
            } catch (IOException e) {
                failed.incrementAndGet();
                throw e;
            }
        });
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/digest", reading))) {
            int cuts = 40;
            Crowd.of(8, client -> {
                Random random = new Random(SEED + client);
                for (int i = 0; i < cuts / 8; i++) {
                    byte[] body = new byte[20_000];
                    String framing = i % 2 == 0 ? "Content-Length: 40000" : "Transfer-Encoding: chunked";
                    RawClient connection = RawClient.connect(container)
                            .send(RawClient.head("POST", "/digest", framing) + "\r\n" + (i % 2 == 0 ? "" : "9c40\r\n"))
                            .send(body);
                    Thread.sleep(random.nextInt(30));
                    if (random.nextBoolean()) {
                        connection.close();
                    } else {
                        connection.rst();
                    }
                }
            });
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(cuts));
            await().untilAsserted(() -> assertThat(container.busyWorkers()).isZero());
            assertThat(failed.get()).isEqualTo(cuts);
            assertThat(whole).hasValue(0);
        }
    }

    /** A close_notify in place of the body: whatever the policy says of half-closes, such a body never becomes whole. */
    @ParameterizedTest(name = "{0} over {1}, half-close {2}")
    @CsvSource({
        "JETTY, TLS, GONE",
        "JETTY, TLS, TOLERATE",
        "JETTY, TLS_12, TOLERATE",
        "TOMCAT, TLS, GONE",
        "TOMCAT, TLS, TOLERATE",
        "TOMCAT, TLS_12, TOLERATE"
    })
    void bodyCutByCloseNotifyIsADeparture(ContainerKind kind, Wire wire, HalfClose halfClose) throws Exception {
        Policy policy = Policy.builder()
                .settings(POLICY.settings())
                .halfClose(halfClose)
                .endpoint("POST /digest", Entry.of(Mode.CANCEL))
                .build();
        Ledger ledger = new Ledger();
        try (Hangup hangup = Hangup.builder().policy(policy).listener(ledger).build();
                Container container = kind.start(new Site()
                        .wire(wire)
                        .filter(new HangupFilter(hangup))
                        .servlet("/digest", new LambdaServlet(UploadIT::digest)))) {
            int cuts = 8;
            for (int i = 0; i < cuts; i++) {
                RawClient connection = RawClient.connect(container, wire)
                        .send(RawClient.head("POST", "/digest", "Content-Length: 40000") + "\r\n")
                        .send(new byte[20_000]);
                Thread.sleep(i * 10L);
                connection.close();
            }
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(cuts));
            assertThat(ledger.cancelled(CancelReason.CALLER_CLOSED))
                    .as("%s", ledger)
                    .isEqualTo(cuts);
        }
    }

    /** Nobody reads what the callers have sent, half of what they announced: the one who stays there is there, until the deadline. */
    @EachContainer
    void endBehindAnUnreadBodyIsNoticed(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        Gate gate = new Gate();
        LambdaServlet unread = new LambdaServlet((request, response) -> gate.doGet(request, response));
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/unread", unread));
                RawClient staying = unread(container)) {
            RawClient resetting = unread(container);
            RawClient closing = unread(container);
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(3));
            await().during(Duration.ofMillis(300)).until(() -> ledger.departures() == 0);
            resetting.rst();
            closing.close();
            await().untilAsserted(() -> assertThat(ledger.departures()).isEqualTo(2));
            assertThat(ledger.cancelled(CancelReason.CALLER_RESET)).isEqualTo(1);
            assertThat(ledger.cancelled(CancelReason.CALLER_CLOSED)).isEqualTo(1);
            assertThat(staying.response().status()).isEqualTo(504);
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(3));
            await().untilAsserted(() -> assertThat(gate.interrupted).hasValue(3));
        }
    }

    /** Fewer bytes than the kernel buffers: behind more, a FIN would not even have arrived. */
    private static RawClient unread(Container container) throws IOException {
        return RawClient.connect(container)
                .send(RawClient.head("POST", "/unread", "Content-Length: 60000") + "\r\n")
                .send(new byte[30_000]);
    }

    private static void upload(RawClient connection, Random random, byte[] body, boolean chunked) throws Exception {
        String framing = chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + body.length;
        connection.send(RawClient.head("POST", "/digest", framing) + "\r\n");
        int at = 0;
        while (at < body.length) {
            int piece = Math.min(body.length - at, 1 + random.nextInt(20_000));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            if (chunked) {
                bytes.writeBytes((Integer.toHexString(piece) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            }
            bytes.write(body, at, piece);
            if (chunked) {
                bytes.writeBytes("\r\n".getBytes(StandardCharsets.ISO_8859_1));
            }
            // Cut anywhere, within a chunk's head, too.
            byte[] wire = bytes.toByteArray();
            int cut = random.nextInt(wire.length);
            connection.send(Arrays.copyOf(wire, cut));
            Thread.sleep(random.nextInt(15));
            connection.send(Arrays.copyOfRange(wire, cut, wire.length));
            Thread.sleep(random.nextInt(4) == 0 ? random.nextInt(60) : 0);
            at += piece;
        }
        if (chunked) {
            connection.send("0\r\n\r\n");
        }
    }

    private static void digest(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        InputStream body = request.getInputStream();
        MessageDigest digest = sha();
        byte[] buffer = new byte[4096];
        for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
            digest.update(buffer, 0, n);
        }
        Thread.sleep(10);
        response.getOutputStream().print(HexFormat.of().formatHex(digest.digest()));
    }

    private static String digest(byte[] body) {
        return HexFormat.of().formatHex(sha().digest(body));
    }

    private static MessageDigest sha() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
