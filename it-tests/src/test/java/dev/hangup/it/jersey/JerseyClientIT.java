package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.it.Downstream;
import dev.hangup.it.EachLine;
import dev.hangup.jersey.CallerAwareClientFilter;
import dev.hangup.jersey.CallerAwareConnectorProvider;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import dev.hangup.policy.SourceTimeoutException;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.client.InvocationCallback;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.client.ClientProperties;
import org.glassfish.jersey.client.HttpUrlConnectorProvider;
import org.glassfish.jersey.client.spi.ConnectorProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Jersey client's requests take as long as their source may in the window in force. Within a call: {@link ClientCallsIT}. */
@EachLine
final class JerseyClientIT {

    private Downstream reports;
    /** Of the hour. */
    private final AtomicInteger minute = new AtomicInteger();

    private Policy policy = Policy.defaults();
    private Client client;
    private Client plain;

    @BeforeEach
    void start() throws IOException {
        reports = new Downstream();
        policy = PolicyFile.parse("hangup.yaml", """
                        windows: { spike_00: { minutes: 0-7 } }
                        sources:
                          reports: { host: "%s", normal: 400ms, spike_00: 20s }
                        """.formatted(reports.host()))
                .policy(() -> Instant.ofEpochSecond(minute.get() * 60L));
        client = client(new CallerAwareConnectorProvider());
        plain = client(new HttpUrlConnectorProvider());
        minute.set(8);
        try (Downstream other = new Downstream()) { // or the first request takes its 400 ms to load classes
            assertThat(client.target(other.at("/after/0")).request().get(String.class))
                    .isEqualTo("answer");
            assertThat(plain.target(other.at("/after/0")).request().get(String.class))
                    .isEqualTo("answer");
        }
    }

    private Client client(ConnectorProvider connector) {
        return ClientBuilder.newClient(
                new ClientConfig().connectorProvider(connector).register(new CallerAwareClientFilter(() -> policy)));
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        plain.close();
        reports.close();
    }

    private Invocation.Builder ask(String path) {
        return client.target(reports.at(path)).request();
    }

    @Test
    void anAnswerIsAsEver() {
        try (Response response = ask("/after/0").get()) {
            assertThat(response.getStatusInfo()).isEqualTo(Response.Status.OK);
            assertThat(response.getHeaderString("content-length")).isEqualTo("6");
            assertThat(response.readEntity(String.class)).isEqualTo("answer");
        }
    }

    @Test
    void connectionsAreUsedAgain() {
        List<String> paths = List.of("/after/0", "/chunked/0", "/empty/0", "/after/0", "/chunked/0");
        for (String path : paths) {
            assertThat(ask(path).get(String.class)).isEqualTo(path.startsWith("/empty") ? "" : "answer");
        }
        assertThat(reports.asked).hasSameSizeAs(paths);
        assertThat(reports.connections()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ours", "default"})
    void eachWindowHasItsOwnTimeout(String connector) {
        Client asking = connector.equals("ours") ? client : plain;
        minute.set(7);
        assertThat(asking.target(reports.at("/after/1500")).request().get(String.class))
                .isEqualTo("answer");
        minute.set(8);
        assertThatThrownBy(() -> asking.target(reports.at("/silent")).request().get(String.class))
                .isInstanceOf(ProcessingException.class)
                .cause()
                .isInstanceOfSatisfying(SourceTimeoutException.class, late -> {
                    assertThat(late.source()).isEqualTo("reports");
                    assertThat(late.timeout()).isEqualTo(Duration.ofMillis(400));
                })
                .hasMessage("reports (" + reports.host() + ") has not answered within 400ms (window normal)");
        await().untilAsserted(() -> assertThat(reports.left).hasValue(1));
    }

    @Test
    void theTimeIsForTheBodyAsAWhole() throws IOException {
        assertThatThrownBy(() -> ask("/body").get(String.class)).hasRootCauseInstanceOf(SourceTimeoutException.class);
        await().untilAsserted(() -> assertThat(reports.left).hasValue(1));
        try (InputStream body = ask("/body").get(InputStream.class)) {
            assertThatThrownBy(body::readAllBytes).isInstanceOf(SourceTimeoutException.class);
        }
        await().untilAsserted(() -> assertThat(reports.left).hasValue(2));
        assertThatThrownBy(() -> ask("/trickle").get(String.class))
                .hasRootCauseInstanceOf(SourceTimeoutException.class);
        await().untilAsserted(() -> assertThat(reports.left).hasValue(3));
    }

    @Test
    void theTimeIsPassedOnInPlaceOfWhatTheRequestSays() {
        ask("/after/0").header("X-Request-Timeout-Ms", "99").get();
        assertThat(told(0, "x-request-timeout-ms")).containsExactly("400");
    }

    @Test
    void inAnotherHeaderOtherPreferencesStay() {
        minute.set(7);
        try (Client preferring = ClientBuilder.newClient(new ClientConfig()
                .connectorProvider(new CallerAwareConnectorProvider())
                .register(new CallerAwareClientFilter(() -> policy).withDeadlineHeader("prefer-wait")))) {
            preferring
                    .target(reports.at("/after/0"))
                    .request()
                    .header("Prefer", "respond-async")
                    .header("Prefer", "wait=99")
                    .get();
        }
        assertThat(told(0, "prefer")).containsExactly("respond-async,wait=20");
    }

    private List<String> told(int request, String field) {
        return reports.asked.get(request).stream()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(field + ":"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .toList();
    }

    @Test
    void aShorterTimeoutOfTheRequestsOwnHolds() {
        minute.set(7);
        assertThatThrownBy(() -> ask("/silent")
                        .property(ClientProperties.READ_TIMEOUT, 200)
                        .get())
                .isInstanceOf(ProcessingException.class)
                .hasCauseInstanceOf(SocketTimeoutException.class);
        await().untilAsserted(() -> assertThat(reports.left).hasValue(1));
        assertThatThrownBy(() -> ask("/body")
                        .property(ClientProperties.READ_TIMEOUT, 200)
                        .get(String.class))
                .hasRootCauseInstanceOf(SocketTimeoutException.class);
        await().untilAsserted(() -> assertThat(reports.left).hasValue(2));
    }

    @Test
    void aRequestInTheBackgroundIsBoundTheSameWay() {
        CompletableFuture<String> late = ask("/silent").rx().get(String.class).toCompletableFuture();
        assertThatThrownBy(() -> late.get(20, TimeUnit.SECONDS)).hasRootCauseInstanceOf(SourceTimeoutException.class);
        assertThatThrownBy(() -> ask("/silent").async().get().get(20, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseInstanceOf(SourceTimeoutException.class);
        await().untilAsserted(() -> assertThat(reports.left).hasValue(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/silent", "/body"})
    void aCancelledFutureEndsTheRequest(String path) {
        minute.set(7);
        Future<String> asked = ask(path).async().get(String.class);
        await().until(() -> reports.asked.size() == 1);
        assertThat(reports.left).hasValue(0);
        asked.cancel(true);
        await().untilAsserted(() -> assertThat(reports.left).hasValue(1));

        CompletableFuture<String> stage = ask(path).rx().get(String.class).toCompletableFuture();
        await().until(() -> reports.asked.size() == 2);
        stage.cancel(false);
        await().untilAsserted(() -> assertThat(reports.left).hasValue(2));
    }

    @Test
    void aCallbackHearsThatItsFutureWasCancelled() throws Exception {
        minute.set(7);
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        Future<String> asked = ask("/silent").async().get(new InvocationCallback<String>() {
            @Override
            public void completed(String answer) {
                told.complete(new AssertionError(answer));
            }

            @Override
            public void failed(Throwable failure) {
                told.complete(failure);
            }
        });
        await().until(() -> reports.asked.size() == 1);
        asked.cancel(true);
        assertThat(told.get(10, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
    }

    @Test
    void anInterruptEndsTheRequest() throws Exception {
        minute.set(7);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            try {
                ask("/silent").get();
            } catch (ProcessingException e) {
                interrupted.complete(Thread.currentThread().isInterrupted());
            }
        });
        waiting.start();
        await().until(() -> reports.asked.size() == 1);
        waiting.interrupt();
        assertThat(interrupted.get(10, TimeUnit.SECONDS)).isTrue();
        await().untilAsserted(() -> assertThat(reports.left).hasValue(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"BUFFERED", "CHUNKED"})
    void bodiesAreSent(String processing) {
        String body = "report ".repeat(20_000);
        String echoed = ask("/echo")
                .property(ClientProperties.REQUEST_ENTITY_PROCESSING, processing)
                .property(ClientProperties.CHUNKED_ENCODING_SIZE, 1024)
                .method("PATCH", Entity.text(body), String.class);
        assertThat(echoed).isEqualTo("PATCH " + body.length());
        assertThat(told(0, processing.equals("CHUNKED") ? "transfer-encoding" : "content-length"))
                .hasSize(1);
    }

    @Test
    void whereNobodyListensItSaysSo() throws IOException {
        reports.close();
        assertThatThrownBy(() -> ask("/after/0").get())
                .isInstanceOf(ProcessingException.class)
                .hasCauseInstanceOf(ConnectException.class);
        assertThatThrownBy(() -> ask("/echo")
                        .property(ClientProperties.REQUEST_ENTITY_PROCESSING, "CHUNKED")
                        .post(Entity.text("report ".repeat(20_000))))
                .isInstanceOf(ProcessingException.class);
    }

    @Test
    void aVerifierThatCouldNotBeAskedIsRefused() {
        try (Client verifying = ClientBuilder.newBuilder()
                .withConfig(new ClientConfig().connectorProvider(new CallerAwareConnectorProvider()))
                .hostnameVerifier((host, session) -> true)
                .build()) {
            assertThatThrownBy(() ->
                            verifying.target(reports.at("/after/0")).request().get())
                    .hasMessageContaining("HostnameVerifier");
        }
    }

    /** Nothing says how long it may take. */
    @Test
    void aHostThatIsNoSourceIsAskedAsEver() throws IOException {
        try (Downstream other = new Downstream()) {
            assertThat(client.target(other.at("/after/700")).request().get(String.class))
                    .isEqualTo("answer");
            assertThat(other.asked.get(0)).noneMatch(line -> line.startsWith("x-request-timeout-ms"));
        }
    }
}
