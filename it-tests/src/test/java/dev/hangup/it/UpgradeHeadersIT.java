package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;

/** An upgrade is what becomes of a request, not what its headers wish for. */
@EachLine
final class UpgradeHeadersIT {

    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /gate", Entry.of(Mode.CANCEL))
            .endpoint("GET /late", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(400)))
            .build();

    private final Ledger ledger = new Ledger();
    private final Gate gate = new Gate();

    private Container start(ContainerKind kind, Wire wire, Hangup hangup) {
        return kind.start(new Site()
                .wire(wire)
                .filter(new HangupFilter(hangup))
                .servlet("/gate", gate)
                .servlet("/late", gate));
    }

    private Hangup hangup() {
        return Hangup.builder().policy(POLICY).listener(ledger).build();
    }

    @EachContainer
    void wishThatIsNotGrantedIsWatchedAsUsual(ContainerKind kind) throws Exception {
        try (Hangup hangup = hangup();
                Container container = start(kind, Wire.PLAIN, hangup);
                RawClient staying = wishing(container, "/late")) {
            assertThat(staying.response().status()).isEqualTo(504);
            RawClient closing = wishing(container, "/gate");
            RawClient resetting = wishing(container, "/gate");
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(3));
            closing.close();
            resetting.rst();
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(3));
            assertThat(ledger.of(CancelReason.CALLER_CLOSED)).isEqualTo(1);
            assertThat(ledger.of(CancelReason.CALLER_RESET)).isEqualTo(1);
        }
    }

    private static RawClient wishing(Container container, String path) throws IOException {
        return RawClient.connect(container)
                .get(
                        path,
                        "Connection: Upgrade",
                        "Upgrade: websocket",
                        "Sec-WebSocket-Version: 13",
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");
    }

    /** The request that brings the upgrade is answered as stream 1 of the new protocol. */
    @EachContainer
    @DisplayName("a request that is upgraded to HTTP/2 is watched there: reset, and past its deadline")
    void streamOfTheUpgradeIsWatched(ContainerKind kind) throws Exception {
        try (Hangup hangup = hangup();
                Container container = start(kind, Wire.H2C, hangup)) {
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
            HttpResponse<String> late = client.send(request(container, "/late"), HttpResponse.BodyHandlers.ofString());
            assertThat(late.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(late.statusCode()).isEqualTo(504);

            HttpClient another =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
            CompletableFuture<HttpResponse<String>> leaving =
                    another.sendAsync(request(container, "/gate"), HttpResponse.BodyHandlers.ofString());
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(2));
            await().during(Duration.ofMillis(300)).until(() -> ledger.departures() == 0);
            leaving.cancel(true); // the connection has no other stream: the client resets it, or closes the connection
            await().untilAsserted(() ->
                    assertThat(ledger.of(CancelReason.STREAM_RESET)).isEqualTo(1));
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(2));
            await().untilAsserted(() -> assertThat(gate.interrupted).hasValue(2));
        }
    }

    private static HttpRequest request(Container container, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + container.port() + path))
                .build();
    }
}
