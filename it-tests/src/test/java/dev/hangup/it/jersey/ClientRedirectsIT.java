package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.it.Container;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.Downstream;
import dev.hangup.it.EachLine;
import dev.hangup.it.LambdaServlet;
import dev.hangup.it.Site;
import dev.hangup.it.Wire;
import dev.hangup.jersey.CallerAwareClientFilter;
import dev.hangup.jersey.CallerAwareConnectorProvider;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.net.HttpRetryException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.client.ClientProperties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Jersey client that is sent on goes there as with Jersey's default connector, and tells nobody else what is not for him. */
@EachLine
final class ClientRedirectsIT {
    private static final int SIZE = 100_000;

    private Depot first;
    private Depot other;
    private Client client;

    @BeforeEach
    void start() throws IOException {
        first = new Depot();
        other = new Depot();
        client = ClientBuilder.newClient(new ClientConfig()
                .connectorProvider(new CallerAwareConnectorProvider())
                .register(new CallerAwareClientFilter()));
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        first.close();
        other.close();
    }

    private Invocation.Builder ask(String path, String to) {
        return client.target(first.at(path + "?" + to))
                .request()
                .header("Authorization", "secret")
                .header("Cookie", "name=secret")
                .header("X-Trace", "1");
    }

    private static Entity<byte[]> body() {
        return Entity.entity(new byte[SIZE], MediaType.APPLICATION_OCTET_STREAM_TYPE);
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void anotherHostIsNotToldTheCredentials(int status) {
        assertThat(ask("/moved/" + status, other.at("/take").toString()).get(String.class))
                .isEqualTo("GET 0");
        assertThat(first.deliveries.get(0).fields()).containsKeys("Authorization", "Cookie");
        assertThat(other.deliveries).singleElement().satisfies(asked -> assertThat(asked.fields())
                .doesNotContainKeys("Authorization", "Cookie")
                .containsEntry("X-Trace", "1"));
    }

    @Test
    void theSameHostIs() {
        assertThat(ask("/moved/302", "/take").get(String.class)).isEqualTo("GET 0");
        assertThat(first.deliveries.get(1).fields()).containsKeys("Authorization", "Cookie");
    }

    @Test
    void aBodyIsSentAgainOrItsOutcomeRead() {
        String to = other.at("/take").toString();
        assertThat(ask("/moved/307", to).post(body(), String.class)).isEqualTo("POST " + SIZE);
        assertThat(ask("/moved/302", to).post(body(), String.class)).isEqualTo("GET 0");
        assertThat(ask("/moved/303", to).put(body(), String.class)).isEqualTo("GET 0");
        assertThat(ask("/moved/301", to).put(body(), String.class)).isEqualTo("PUT " + SIZE);
    }

    /** It is gone when the answer says where it should have been sent. */
    @Test
    void aBodyThatWasSentAsItWasWrittenIsNotSentAgain() {
        assertThatThrownBy(() -> ask("/moved/307", other.at("/take").toString())
                        .property(ClientProperties.REQUEST_ENTITY_PROCESSING, "CHUNKED")
                        .post(body()))
                .hasRootCauseInstanceOf(HttpRetryException.class);
        assertThat(other.deliveries).isEmpty();
    }

    @Test
    void whatIsNotToBeFollowedIsTheAnswer() {
        String to = other.at("/take").toString();
        try (Response answer = ask("/moved/302", to)
                .property(ClientProperties.FOLLOW_REDIRECTS, false)
                .get()) {
            assertThat(answer.getLocation()).isEqualTo(URI.create(to));
            assertThat(answer.readEntity(String.class)).isEqualTo("elsewhere");
        }
        try (Response answer = ask("/moved/302", to.replace("http:", "https:")).get()) {
            assertThat(answer.getStatus()).isEqualTo(302);
        }
        try (Response answer = ask("/moved/302", "/moved/302?/take").get()) {
            assertThat(answer.readEntity(String.class)).isEqualTo("GET 0");
        }
        assertThat(other.deliveries).isEmpty();
    }

    @Test
    void theBodyOfARedirectIsNotWaitedForAndACancelEndsWhatFollows() throws Exception {
        assertThat(ask("/moving/302", other.at("/take").toString()).get(String.class))
                .isEqualTo("GET 0");
        try (Downstream silent = new Downstream()) {
            CompletableFuture<String> asked = ask(
                            "/moving/302", silent.at("/silent").toString())
                    .rx()
                    .get(String.class)
                    .toCompletableFuture();
            await().until(() -> silent.asked.size() == 1);
            asked.cancel(true);
            await().untilAsserted(() -> assertThat(silent.left).hasValue(1));
        }
    }

    /** As with the default connector, which asks for it each time. */
    @Test
    void aRequestMayHaveItsOwnTls() {
        Site site = new Site()
                .wire(Wire.TLS)
                .servlet("/*", new LambdaServlet((request, response) -> response.getWriter()
                        .print("safe")));
        try (Container server = ContainerKind.JETTY.start(site)) {
            Invocation.Builder asked =
                    client.target("https://localhost:" + server.port()).request();
            assertThatThrownBy(() -> asked.get(String.class)).hasMessageContaining("PKIX");
            SSLContext trusting = Wire.trusting();
            asked.property(ClientProperties.SSL_CONTEXT_SUPPLIER, (Supplier<SSLContext>) () -> trusting);
            assertThat(asked.get(String.class)).isEqualTo("safe");
        }
    }
}
