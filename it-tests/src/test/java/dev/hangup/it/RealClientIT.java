package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallScope;
import dev.hangup.it.ClientStage.Server;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Clients as they are in use, each of which gives up after a second: a departure to Hangup, whatever they do then. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RealClientIT {

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /wait/{id}", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(20)))
            .build();

    private final WaitingRoom room = new WaitingRoom();
    private final ClientStage stage = ClientStage.start(
            POLICY, () -> new Site().servlet("/wait/*", room), Wire.PLAIN, Wire.TLS, Wire.H2C, Wire.H2);
    private Path directory;

    /** Asks, and returns when the client has given up. */
    private interface Client {
        void giveUp(Server server, URI uri) throws Exception;
    }

    @BeforeAll
    void start(@TempDir Path made) {
        directory = made;
    }

    @AfterAll
    void stop() {
        stage.close();
    }

    @Test
    void curlWithMaxTime() throws Exception {
        String curl = Program.CURL.path();
        each("curl", (server, uri) -> {
            String version = server.isHttp2() ? server.isSecure() ? "--http2" : "--http2-prior-knowledge" : "--http1.1";
            List<String> command =
                    List.of(curl, "-sSk", version, "--max-time", "" + PATIENCE.toSeconds(), uri.toString());
            try (Child child = Child.start(directory, command)) {
                await(uri.toString()).until(() -> !child.isAlive());
                assertThat(child.output()).contains("(28)");
            }
        });
    }

    @Test
    void javaHttpClientWithATimeout() throws Exception {
        HttpClient client = HttpClient.newBuilder().sslContext(Wire.trusting()).build();
        each("java", (server, uri) -> {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .version(server.isHttp2() ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                    .timeout(PATIENCE)
                    .build();
            assertThatThrownBy(() -> client.send(request, BodyHandlers.discarding()))
                    .isInstanceOf(HttpTimeoutException.class);
        });
    }

    @Test
    void nodeWithAnAbortController() throws Exception {
        List<String> command = new ArrayList<>(List.of(Program.NODE.path(), script().toString()));
        for (Server server : stage.servers()) {
            command.addAll(List.of(
                    server.isHttp2() ? "http2" : "fetch", uri("node", server).toString()));
        }
        try (Child node = Child.start(directory, command, Map.of("NODE_TLS_REJECT_UNAUTHORIZED", "0"))) {
            each("node", (server, uri) -> {
                await(uri.toString()).until(() -> node.output().contains(uri.toString()));
                assertThat(node.output()).contains("gave up " + uri);
            });
            assertThat(node.isAlive()).isTrue();
        }
    }

    private void each(String name, Client client) throws InterruptedException {
        List<Server> servers = stage.servers();
        Crowd.of(servers.size(), i -> {
            Server server = servers.get(i);
            URI uri = uri(name, server);
            client.giveUp(server, uri);
            long gaveUp = System.nanoTime();
            WaitingRoom.Visit visit = room.visit(uri.getPath());
            CallScope call = visit.call();
            await(uri.toString()).atMost(SOON).until(call::isEnded);
            assertThat(visit.protocol).as("%s", uri).isEqualTo(server.protocol());
            assertThat(call.cancelReason().orElseThrow()).as("%s", uri).matches(server::isDeparture);
            assertThat(Duration.ofNanos(call.callerGoneAt() - gaveUp))
                    .as("%s", uri)
                    .isLessThan(SOON);
        });
    }

    private static URI uri(String client, Server server) {
        return server.uri("/wait/" + client + "-" + server);
    }

    private Path script() throws IOException {
        try (InputStream source = Objects.requireNonNull(RealClientIT.class.getResourceAsStream("give-up.mjs"))) {
            Path script = directory.resolve("give-up.mjs");
            Files.copy(source, script);
            return script;
        }
    }
}
