package dev.hangup.it;

import static dev.hangup.it.Scrape.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fifty streams of one connection at once, half of them cancelled while they are read, worked on and written. An interrupt in
 * the midst of Tomcat's I/O would close the connection under the others.
 */
final class Http2CrowdIT {

    private static final int CROWD = 50;
    private static final int PIECES = 8;
    private static final int PIECE = 2_048;
    private static final int ANSWER = 256 * 1024;
    private static final List<Phase> PHASES = List.of(Phase.values());
    private static final Duration WORK = Duration.ofMillis(40);

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ofMillis(5)))
            .endpoint("POST /crowd/{id}", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(60)))
            .build();

    private enum Phase {
        READING,
        WORKING,
        WRITING
    }

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, H2C", "JETTY, H2", "TOMCAT, H2C", "TOMCAT, H2"})
    void theOthersComplete(ContainerKind kind, Wire wire) throws Exception {
        theOthersComplete(kind, wire, 2);
    }

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, H2C", "JETTY, H2", "TOMCAT, H2C", "TOMCAT, H2"})
    @Tag("soak")
    void theOthersCompleteAHundredTimes(ContainerKind kind, Wire wire) throws Exception {
        theOthersComplete(kind, wire, 100);
    }

    private static void theOthersComplete(ContainerKind kind, Wire wire, int crowds) throws Exception {
        Random random = Seed.random(kind + " over " + wire + ", " + crowds + " crowds of " + CROWD);
        Map<Integer, Guest> guests = new ConcurrentHashMap<>();
        ScheduledExecutorService cancelling = Executors.newScheduledThreadPool(4);
        Site site = new Site()
                .wire(wire)
                .maxThreads(CROWD + 10)
                .streamsAtOnce(CROWD)
                .resetsUnlimited()
                .servlet("/crowd/*", new LambdaServlet((request, response) -> {
                    int id = Integer.parseInt(request.getPathInfo().substring(1));
                    serve(Objects.requireNonNull(guests.get(id)), cancelling, request, response);
                }));
        try (Silence silence = Silence.ofContainers();
                Stage stage = Stage.start(kind, POLICY, site);
                H2Client client = H2Client.connect(stage.container, wire)) {
            for (int crowd = 0; crowd < crowds; crowd++) {
                List<Guest> invited = new ArrayList<>();
                for (int i = 0; i < CROWD; i++) {
                    invited.add(Guest.draw(crowd * CROWD + i, i % 2 == 0, random));
                }
                invited.forEach(guest -> guests.put(guest.id, guest));
                for (Guest guest : invited) {
                    guest.exchange.complete(client.post("/crowd/" + guest.id, guest.piece(0), false));
                    client.settle();
                }
                for (int piece = 1; piece < PIECES; piece++) {
                    Thread.sleep(4);
                    for (Guest guest : invited) {
                        guest.exchange.join().send(guest.piece(piece), piece == PIECES - 1);
                    }
                }
                for (Guest guest : invited) {
                    guest.check();
                }
                await().until(() -> stage.turnstile.inside() == 0);
                guests.clear(); // with all that they were answered
            }
            Guest last = Guest.draw(-1, true, random);
            guests.put(last.id, last);
            last.exchange.complete(client.post("/crowd/" + last.id, last.upload, true));
            last.check(); // the connection is still there
            assertThat(stage.turnstile.interrupted).hasValue(0);
            await().untilAsserted(() -> {
                Scrape scrape = stage.scrape();
                assertThat(scrape.count("hangup_calls_total")).isEqualTo(crowds * CROWD + 1);
                assertThat(scrape.momentary().values()).isNotEmpty().allMatch(value -> value == 0);
            });
            for (String reason : List.of("manual", "stream_reset")) {
                assertThat(stage.scrape().count("hangup_cancelled_total", reason(reason)))
                        .as(reason)
                        .isPositive();
            }
        } finally {
            cancelling.shutdownNow();
        }
    }

    private static void serve(
            Guest guest, ScheduledExecutorService cancelling, HttpServletRequest request, HttpServletResponse response)
            throws Exception {
        guest.reaches(Phase.READING, cancelling);
        byte[] upload = request.getInputStream().readAllBytes();
        guest.reaches(Phase.WORKING, cancelling);
        Thread.sleep(WORK.toMillis());
        guest.reaches(Phase.WRITING, cancelling);
        byte[] answer = answer(guest.id, upload);
        for (int sent = 0; sent < answer.length; sent += PIECE) {
            response.getOutputStream().write(answer, sent, Math.min(PIECE, answer.length - sent));
            response.flushBuffer(); // so that an interrupt would come in the midst of the container's own write
        }
    }

    /** What nobody else is answered: drawn from the number, and told what has come of the upload. */
    private static byte[] answer(int id, byte[] upload) throws Exception {
        byte[] answer = new byte[ANSWER];
        new Random(id).nextBytes(answer);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(upload);
        System.arraycopy(digest, 0, answer, ANSWER - digest.length, digest.length);
        return answer;
    }

    /** One stream. */
    private static final class Guest {

        final int id;
        final byte[] upload = new byte[PIECES * PIECE];
        final CompletableFuture<H2Exchange> exchange = new CompletableFuture<>();
        /** Null if it stays. */
        private final @Nullable Phase cancelledIn;
        /** How many microseconds later. */
        private final int after;
        /** By its caller, else by the application. */
        private final boolean resets;

        Guest(int id, @Nullable Phase cancelledIn, Random random) {
            this.id = id;
            this.cancelledIn = cancelledIn;
            this.after = random.nextInt(cancelledIn == Phase.WRITING ? 10_000 : 30_000);
            this.resets = random.nextBoolean();
            random.nextBytes(upload);
        }

        static Guest draw(int id, boolean stays, Random random) {
            Phase phase = PHASES.get(random.nextInt(PHASES.size()));
            return new Guest(id, stays ? null : phase, random);
        }

        byte[] piece(int number) {
            return java.util.Arrays.copyOfRange(upload, number * PIECE, (number + 1) * PIECE);
        }

        void reaches(Phase phase, ScheduledExecutorService cancelling) {
            if (phase == cancelledIn) {
                Call call = Call.current();
                Runnable cancel = resets ? () -> exchange.join().reset() : call::cancel;
                Future<?> unused = cancelling.schedule(cancel, after, TimeUnit.MICROSECONDS);
            }
        }

        void check() throws Exception {
            if (cancelledIn != null && resets) {
                return; // nobody listens any more
            }
            H2Exchange stream = exchange.join();
            String end = stream.outcome();
            String outcome = end.split(" ", 2)[0];
            assertThat(outcome)
                    .as(
                            "%s: %s after %d bytes",
                            this, end.substring(0, Math.min(end.length(), 40)), stream.body().length)
                    .isIn(cancelledIn == null ? List.of("200") : List.of("200", "503", "reset"));
            if (outcome.equals("200")) {
                assertThat(digest(stream.body())).as("%s", this).isEqualTo(digest(answer(id, upload)));
            }
        }

        private static String digest(byte[] body) throws Exception {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        }

        @Override
        public String toString() {
            return id + ", cancelled " + cancelledIn + " " + after + " us, resets " + resets;
        }
    }
}
