package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whoever stays is never taken for gone, whatever the connection looks like meanwhile: an upload that pauses, a request that
 * waits behind another, a connection between two requests. Each answer is a digest of what has arrived, so that a byte that is
 * lost or comes from nowhere is seen. Every call is watched from its first moment.
 */
final class FalseDepartureIT {

    private static final int CLIENTS = 20;
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /digest/{name}", Entry.of(Mode.CANCEL))
            .endpoint("POST /digest/{name}", Entry.of(Mode.CANCEL))
            .build();

    static Stream<Arguments> connections() {
        return Stream.of(
                Arguments.of(ContainerKind.JETTY, Wire.PLAIN),
                Arguments.of(ContainerKind.JETTY, Wire.TLS),
                Arguments.of(ContainerKind.TOMCAT, Wire.PLAIN),
                Arguments.of(ContainerKind.TOMCAT, Wire.TLS),
                Arguments.of(ContainerKind.TOMCAT, Wire.NIO2),
                Arguments.of(ContainerKind.TOMCAT, Wire.NIO2_TLS));
    }

    @ParameterizedTest(name = "{0} over {1}")
    @MethodSource("connections")
    void nobodyWhoStaysIsGone(ContainerKind kind, Wire wire) throws Exception {
        nobodyIsGone(kind, wire, 200);
    }

    @Tag("soak")
    @ParameterizedTest(name = "{0} over {1}")
    @MethodSource("connections")
    void nobodyOfThousandsWhoStayIsGone(ContainerKind kind, Wire wire) throws Exception {
        nobodyIsGone(kind, wire, 2_000);
    }

    private static void nobodyIsGone(ContainerKind kind, Wire wire, int ofEach) throws Exception {
        long seed = Long.getLong("departures.seed", System.nanoTime());
        Ledger ledger = new Ledger();
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(new Site()
                        .wire(wire)
                        .filter(new HangupFilter(hangup))
                        .servlet("/digest/*", new LambdaServlet(FalseDepartureIT::digest)))) {
            Crowd.of(CLIENTS, number -> {
                Random random = new Random(seed + number);
                try (Guest guest = new Guest(container, wire, random)) {
                    for (int i = 0; i < ofEach / CLIENTS; i++) {
                        guest.uploads();
                        guest.pipelines();
                        guest.comesAgain();
                    }
                }
            });
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(4 * ofEach));
            System.out.printf(
                    Locale.ROOT,
                    "%s over %s: %d uploads, %d pipelined pairs, %d reuses, %d departures (seed %d)%n",
                    kind,
                    wire,
                    ofEach,
                    ofEach,
                    ofEach,
                    ledger.departures(),
                    seed);
            assertThat(ledger.departures()).as("%s, seed %d", ledger, seed).isZero();
            assertThat(ledger.ended(Outcome.COMPLETED)).as("%s", ledger).isEqualTo(4 * ofEach);
            logged.assertNoAlarms();
        }
    }

    /** Reads the body in pieces, if there is one, works a while, and answers with what has come. */
    private static void digest(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        MessageDigest digest = sha(request.getPathInfo());
        InputStream body = request.getInputStream();
        byte[] buffer = new byte[4096];
        for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
            digest.update(buffer, 0, n);
        }
        Thread.sleep(10);
        response.getOutputStream().print(HexFormat.of().formatHex(digest.digest()));
    }

    private static MessageDigest sha(String first) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(first.getBytes(StandardCharsets.ISO_8859_1));
            return digest;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One who stays, on one connection after the other. */
    private static final class Guest implements AutoCloseable {
        /** Tomcat closes a connection after 100 requests. */
        private static final int PER_CONNECTION = 20;

        private final Container container;
        private final Wire wire;
        private final Random random;
        private RawClient connection;
        private int turns;

        Guest(Container container, Wire wire, Random random) throws IOException {
            this.container = container;
            this.wire = wire;
            this.random = random;
            this.connection = RawClient.connect(container, wire);
        }

        void uploads() throws Exception {
            byte[] body = new byte[1 + random.nextInt(30_000)];
            random.nextBytes(body);
            String name = name();
            connection.send(RawClient.head("POST", name, "Content-Length: " + body.length) + "\r\n");
            for (int at = 0; at < body.length; ) {
                int piece = Math.min(body.length - at, 1 + random.nextInt(15_000));
                connection.send(Arrays.copyOfRange(body, at, at + piece));
                at += piece;
                pause();
            }
            expect(name, body);
        }

        /** Both in one segment, or the second while the first is worked on. */
        void pipelines() throws Exception {
            String first = name();
            String second = name();
            String one = RawClient.head("GET", first) + "\r\n";
            String two = RawClient.head("GET", second) + "\r\n";
            if (random.nextBoolean()) {
                connection.send(one + two);
            } else {
                connection.send(one);
                pause();
                connection.send(two);
            }
            expect(first, new byte[0]);
            expect(second, new byte[0]);
        }

        void comesAgain() throws Exception {
            pause();
            String name = name();
            connection.get(name);
            expect(name, new byte[0]);
            if (++turns % PER_CONNECTION == 0) {
                connection.close();
                connection = RawClient.connect(container, wire);
            }
        }

        private String name() {
            return "/digest/" + Integer.toHexString(random.nextInt());
        }

        private void expect(String name, byte[] body) throws IOException {
            MessageDigest digest = sha(name.substring("/digest".length()));
            assertThat(connection.response().body()).isEqualTo(HexFormat.of().formatHex(digest.digest(body)));
        }

        private void pause() throws InterruptedException {
            Thread.sleep(random.nextInt(3) == 0 ? random.nextInt(30) : 0);
        }

        @Override
        public void close() throws IOException {
            connection.close();
        }
    }
}
