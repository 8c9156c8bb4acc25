package dev.hangup.jersey;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stop closes the connection of what is stopped, and never one that somebody else's request has by then. */
final class DispatchTest {

    private static final String ANSWER = "answer";

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client =
            HttpClient.newBuilder().version(Version.HTTP_1_1).build();
    private final HeldClient held = new HeldClient(client);
    /** The clients' ports, in the order of the requests. */
    private final List<Integer> asked = new CopyOnWriteArrayList<>();

    private final CountDownLatch somebodyElseAsks = new CountDownLatch(1);
    private final CountDownLatch somebodyElseIsAnswered = new CountDownLatch(1);
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/length", exchange -> answer(exchange, ANSWER.length()));
        server.createContext("/chunked", exchange -> answer(exchange, 0));
        server.createContext("/empty", exchange -> answer(exchange, -1));
        server.createContext("/else", exchange -> {
            somebodyElseAsks.countDown();
            awaited(somebodyElseIsAnswered);
            answer(exchange, ANSWER.length());
        });
        server.setExecutor(threads);
        server.start();
    }

    private void answer(HttpExchange exchange, long length) throws IOException {
        asked.add(exchange.getRemoteAddress().getPort());
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, length);
            if (length >= 0) {
                exchange.getResponseBody().write(ANSWER.getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void stop() {
        held.letGo();
        server.stop(0);
        threads.shutdownNow();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path));
    }

    /**
     * The client keeps a connection before it says that the answer is at its end. Between the two somebody else's request has taken it:
     * then comes the stop.
     */
    @ParameterizedTest
    @ValueSource(strings = {"/length", "/chunked", "/empty"})
    void aStopWhenSomebodyElseHasTheConnectionHitsNobody(String path) throws Exception {
        Leg leg = Leg.unlimited(null, new Leg.Own(0, 0));
        leg.begin();
        CompletableFuture<HttpResponse<ReceivedBody>> stopped =
                Dispatch.send(held, request(path).build(), leg, true);
        awaited(held.atTheEnd);
        CompletableFuture<HttpResponse<String>> other = client.sendAsync(
                request("/else").POST(BodyPublishers.ofString("")).build(), BodyHandlers.ofString());
        awaited(somebodyElseAsks);

        leg.stop(new IOException("stopped"));

        somebodyElseIsAnswered.countDown();
        assertThat(other.get(10, TimeUnit.SECONDS).body()).isEqualTo(ANSWER);
        assertThat(asked).as("over one connection").hasSize(2);
        assertThat(asked.get(1)).isEqualTo(asked.get(0));
        held.letGo();
        assertThat(stopped)
                .satisfies(told ->
                        assertThat(told.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200));
    }
}
