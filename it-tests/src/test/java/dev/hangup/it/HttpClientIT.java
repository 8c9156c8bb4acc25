package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.client.CallerAwareHttpClient;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import dev.hangup.policy.SourceTimeoutException;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests downstream that take as long as their source may in the window in force. Within a call: {@link FanOutIT}. */
final class HttpClientIT {

    private Downstream reports;
    /** Of the hour. */
    private final AtomicInteger minute = new AtomicInteger();

    private HttpClient client;

    @BeforeEach
    void start() throws Exception {
        reports = new Downstream();
        Policy policy = PolicyFile.parse("hangup.yaml", """
                        windows: { spike_00: { minutes: 0-7 } }
                        sources:
                          reports: { host: "%s", normal: 400ms, spike_00: 20s }
                        """.formatted(reports.host()))
                .policy(() -> Instant.ofEpochSecond(minute.get() * 60L));
        client = CallerAwareHttpClient.wrap(HttpClient.newHttpClient(), () -> policy)
                .withDeadlineHeader("x-request-timeout-ms");
        try (Downstream other = new Downstream()) { // or the first request takes its 400 ms to load classes
            client.send(HttpRequest.newBuilder(other.at("/after/0")).build(), BodyHandlers.discarding());
        }
    }

    @AfterEach
    void stop() throws IOException {
        reports.close();
    }

    private HttpRequest get(String path) {
        return HttpRequest.newBuilder(reports.at(path)).build();
    }

    @Test
    void minuteSevenAndMinuteEightHaveTheirOwnTimeouts() throws Exception {
        minute.set(7);
        assertThat(client.send(get("/after/1500"), BodyHandlers.ofString()).body())
                .isEqualTo("answer");
        minute.set(8);
        assertThatThrownBy(() -> client.send(get("/after/1500"), BodyHandlers.ofString()))
                .isInstanceOfSatisfying(SourceTimeoutException.class, late -> {
                    assertThat(late.source()).isEqualTo("reports");
                    assertThat(late.host()).isEqualTo(reports.host());
                    assertThat(late.window()).isEqualTo("normal");
                    assertThat(late.timeout()).isEqualTo(Duration.ofMillis(400));
                })
                .hasMessage("reports (" + reports.host() + ") has not answered within 400ms (window normal)");
        minute.set(67);
        assertThat(client.send(get("/after/1500"), BodyHandlers.ofString()).body())
                .isEqualTo("answer");
    }

    @Test
    void whoeverIsNotWaitedForIsToldSo() {
        minute.set(8);
        assertThatThrownBy(() -> client.send(get("/silent"), BodyHandlers.ofString()))
                .isInstanceOf(SourceTimeoutException.class);
        await().untilAsserted(() -> assertThat(reports.left).hasValue(1));
    }

    @Test
    void theTimeIsForTheBodyToo() throws Exception {
        minute.set(8);
        assertThatThrownBy(() -> client.send(get("/body"), BodyHandlers.ofString()))
                .isInstanceOf(SourceTimeoutException.class);
        await().untilAsserted(() -> assertThat(reports.left).hasValue(1));

        minute.set(8);
        HttpResponse<InputStream> response = client.send(get("/body"), BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            assertThatThrownBy(body::readAllBytes).hasRootCauseInstanceOf(SourceTimeoutException.class);
        }
        await().untilAsserted(() -> assertThat(reports.left).hasValue(2));
    }

    @Test
    void theTimeIsPassedOn() throws Exception {
        minute.set(8);
        HttpRequest request = HttpRequest.newBuilder(reports.at("/after/0"))
                .header("X-Request-Timeout-Ms", "99")
                .build();
        client.send(request, BodyHandlers.discarding());
        assertThat(reports.asked.get(0))
                .filteredOn(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith("x-request-timeout-ms:"))
                .singleElement()
                .asString()
                .endsWith(": 400");
    }

    @Test
    void otherPreferencesStay() throws Exception {
        minute.set(7);
        HttpRequest request = HttpRequest.newBuilder(reports.at("/after/0"))
                .header("Prefer", "respond-async")
                .header("Prefer", "wait=99, return=minimal; foo=\"a, wait=1\"")
                .build();
        ((CallerAwareHttpClient) client).withDeadlineHeader("prefer-wait").send(request, BodyHandlers.discarding());
        assertThat(reports.asked.get(0))
                .filteredOn(line -> line.startsWith("Prefer:"))
                .containsExactly(
                        "Prefer: respond-async", "Prefer: return=minimal; foo=\"a, wait=1\"", "Prefer: wait=20");
    }

    @Test
    void aRequestInTheBackgroundIsBoundTheSameWay() throws Exception {
        minute.set(8);
        CompletableFuture<HttpResponse<String>> late = client.sendAsync(get("/silent"), BodyHandlers.ofString());
        assertThatThrownBy(() -> late.get(10, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(SourceTimeoutException.class);
        await().untilAsserted(() -> assertThat(reports.left).hasValue(1));

        minute.set(7);
        CompletableFuture<HttpResponse<String>> unwanted = client.sendAsync(get("/silent"), BodyHandlers.ofString());
        await().until(() -> reports.asked.size() == 2);
        assertThat(unwanted.cancel(true)).isTrue();
        await().untilAsserted(() -> assertThat(reports.left).hasValue(2));
    }

    @Test
    void anInterruptEndsTheRequest() throws Exception {
        minute.set(7);
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            try {
                client.send(get("/silent"), BodyHandlers.ofString());
            } catch (IOException | InterruptedException | RuntimeException e) {
                thrown.complete(e);
            }
        });
        waiting.start();
        await().until(() -> reports.asked.size() == 1);
        waiting.interrupt();
        assertThat(thrown.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        await().untilAsserted(() -> assertThat(reports.left).hasValue(1));
    }

    /** Nothing says how long it may take. */
    @Test
    void aHostThatIsNoSourceIsAskedAsEver() throws Exception {
        try (Downstream other = new Downstream()) {
            HttpRequest request = HttpRequest.newBuilder(other.at("/after/700")).build();
            assertThat(client.send(request, BodyHandlers.ofString()).body()).isEqualTo("answer");
            assertThat(other.asked.get(0)).noneMatch(line -> line.startsWith("x-request-timeout-ms"));
        }
    }
}
