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
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;

/**
 * Bytes that wait on a watched connection are the next request, not a departure: it is answered, whole and in its turn, and
 * watching goes on. Every call is watched from its first moment.
 */
@EachLine
final class PipeliningIT {

    private static final int CLIENTS = 8;
    private static final int ROUNDS = 40;
    private static final long SEED = 15;

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /task/{name}", Entry.of(Mode.CANCEL))
            .endpoint("POST /task/{name}", Entry.of(Mode.CANCEL))
            .endpoint("GET /later/{name}", Entry.of(Mode.CANCEL))
            .endpoint("POST /later/{name}", Entry.of(Mode.CANCEL))
            .endpoint("GET /gate", Entry.of(Mode.CANCEL))
            .build();

    @EachContainer
    @DisplayName("case 15: pipelined requests are answered in order, and a later close is noticed")
    void pipelinedRequestsAreAnsweredAndThenACloseIsNoticed(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        Gate gate = new Gate();
        Site site = new Site()
                .servlet("/task/*", new LambdaServlet(PipeliningIT::work))
                .servlet("/later/*", new LambdaServlet(PipeliningIT::later))
                .servlet("/gate", gate);
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(site.filter(new HangupFilter(hangup)))) {
            Crowd.of(CLIENTS, client -> {
                Random random = new Random(SEED + client);
                for (int round = 0; round < ROUNDS; round++) {
                    try (RawClient connection = RawClient.connect(container)) {
                        String[] expected = new String[2 + random.nextInt(3)];
                        converse(connection, random, expected);
                        connection.get("/gate");
                        pause(random.nextInt(20));
                    }
                }
            });
            int rounds = CLIENTS * ROUNDS;
            await().untilAsserted(() -> assertThat(gate.interrupted).hasValue(rounds));
            await().untilAsserted(() -> assertThat(container.busyWorkers()).isZero());
            assertThat(ledger.departures()).as("%s", ledger).isEqualTo(rounds);
            assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(rounds);
            assertThat(ledger.ended()).isEqualTo(rounds + ledger.ended(Outcome.COMPLETED));
        }
    }

    /** Sends all requests before it reads the first answer: in one segment, or the later ones while the first is worked on. */
    private static void converse(RawClient connection, Random random, String[] expected) throws Exception {
        StringBuilder segment = new StringBuilder();
        for (int i = 0; i < expected.length; i++) {
            String name = i + "-" + random.nextInt(1000) + "?" + random.nextInt(25);
            String body = random.nextInt(3) == 0 ? "" : "body " + random.nextLong();
            String path = (random.nextInt(3) == 0 ? "/later/" : "/task/") + name;
            segment.append(request(path, body, random.nextBoolean()));
            expected[i] = (body.isEmpty() ? "GET " : "POST ") + name + " " + body;
            if (random.nextInt(3) == 0) {
                connection.send(segment.toString());
                segment.setLength(0);
                pause(random.nextInt(20));
            }
        }
        if (segment.length() > 0) {
            connection.send(segment.toString());
        }
        for (String answer : expected) {
            assertThat(connection.response().body()).isEqualTo(answer);
        }
    }

    private static String request(String path, String body, boolean chunked) {
        if (body.isEmpty()) {
            return RawClient.head("GET", path) + "\r\n";
        }
        return chunked
                ? RawClient.head("POST", path, "Transfer-Encoding: chunked") + "\r\n"
                        + Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n"
                : RawClient.head("POST", path, "Content-Length: " + body.length()) + "\r\n" + body;
    }

    /** Reads the body, if any, works for as many milliseconds as the query says, and answers with both. */
    private static void work(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        String body = new String(request.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        String duration = request.getQueryString();
        pause(Integer.parseInt(duration));
        response.getOutputStream().print(answer(request, body));
    }

    /** The same, asynchronously. */
    private static void later(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String body = new String(request.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        String duration = request.getQueryString();
        String answer = answer(request, body);
        AsyncContext async = request.startAsync();
        CompletableFuture.delayedExecutor(Integer.parseInt(duration), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    try {
                        response.getOutputStream().print(answer);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e); // the answer is incomplete, and the client says so
                    }
                    async.complete();
                });
    }

    private static String answer(HttpServletRequest request, String body) {
        String name = request.getPathInfo().substring(1) + "?" + request.getQueryString();
        return request.getMethod() + " " + name + " " + body;
    }

    private static void pause(int millis) throws InterruptedException {
        Thread.sleep(millis);
    }
}
