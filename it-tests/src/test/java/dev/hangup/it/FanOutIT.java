package dev.hangup.it;

import static dev.hangup.it.Scrape.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.call.CallCancelledException;
import dev.hangup.client.CallerAwareHttpClient;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * An example: a request that asks three sources at once. Each leg has its source's own timeout, the whole has the call's deadline,
 * and when the caller leaves every leg stops, as its source can see.
 */
final class FanOutIT {

    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final HttpClient plain = HttpClient.newHttpClient();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<Downstream> sources = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        for (int i = 0; i < 3; i++) {
            sources.add(new Downstream());
        }
    }

    @AfterEach
    void stop() throws IOException {
        for (Downstream source : sources) {
            source.close();
        }
        pool.shutdownNow();
    }

    private Policy policy(String a, String b, String c) {
        return PolicyFile.parse("hangup.yaml", """
                        deadlines:
                          endpoints:
                            "GET /page":  { mode: cancel, normal: 30s }
                            "GET /short": { mode: cancel, normal: 3s }
                        sources:
                          weather_a: { host: "%s", normal: %s }
                          weather_b: { host: "%s", normal: %s }
                          weather_c: { host: "%s", normal: %s }
                        """.formatted(
                                sources.get(0).host(),
                                a,
                                sources.get(1).host(),
                                b,
                                sources.get(2).host(),
                                c))
                .policy();
    }

    /** The page: one line for each source, with its answer or why there is none. */
    private LambdaServlet page(HttpClient client, String... paths) {
        return new LambdaServlet((request, response) -> {
            ExecutorService legs = Call.current().executor(pool);
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < paths.length; i++) {
                HttpRequest leg =
                        HttpRequest.newBuilder(sources.get(i).at(paths[i])).build();
                answers.add(legs.submit(() -> ask(client, leg)));
            }
            for (Future<String> answer : answers) {
                response.getWriter().println(answer(answer));
            }
        });
    }

    private String ask(HttpClient client, HttpRequest leg) throws IOException, InterruptedException {
        try {
            return client.send(leg, BodyHandlers.ofString()).body();
        } catch (IOException | InterruptedException | RuntimeException e) {
            failures.add(e);
            throw e;
        }
    }

    private static String answer(Future<String> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            return String.valueOf(Objects.requireNonNull(e.getCause()).getMessage());
        }
    }

    private Site site(Policy policy, String... paths) {
        HttpClient client = CallerAwareHttpClient.wrap(plain, () -> policy).withDeadlineHeader("x-request-timeout-ms");
        return new Site().servlet("/page", page(client, paths)).servlet("/short", page(client, paths));
    }

    @EachContainer
    void eachLegHasItsSourcesTimeout(ContainerKind kind) throws Exception {
        Policy policy = policy("300ms", "600ms", "20s");
        try (Stage stage = Stage.start(kind, policy, site(policy, "/silent", "/silent", "/after/1500"))) {
            RawResponse response = RawClient.ask(stage.container, "/page");
            assertThat(response.body().lines())
                    .containsExactly(
                            "weather_a (" + sources.get(0).host() + ") has not answered within 300ms (window normal)",
                            "weather_b (" + sources.get(1).host() + ") has not answered within 600ms (window normal)",
                            "answer");
            assertThat(sources.get(2).asked.get(0)).contains("x-request-timeout-ms: 20000");
            await().untilAsserted(() -> {
                assertThat(sources.get(0).left).hasValue(1);
                assertThat(sources.get(1).left).hasValue(1);
            });
            assertThat(sources.get(2).left).hasValue(0);
        }
    }

    @EachContainer
    void theWholeHasTheCallsDeadline(ContainerKind kind) throws Exception {
        Policy policy = policy("20s", "20s", "20s");
        try (Stage stage = Stage.start(kind, policy, site(policy, "/silent", "/body", "/silent"))) {
            assertThat(RawClient.ask(stage.container, "/short").status()).isEqualTo(504);
            allLegsStop();
            for (Downstream source : sources) {
                String told = source.asked.get(0).stream()
                        .filter(line -> line.startsWith("x-request-timeout-ms: "))
                        .findFirst()
                        .orElseThrow();
                assertThat(Long.parseLong(told.substring(told.indexOf(' ') + 1)))
                        .isBetween(1L, 3_000L);
            }
        }
    }

    @EachContainer
    void theCallersDepartureStopsEveryLeg(ContainerKind kind) throws Exception {
        Policy policy = policy("20s", "20s", "20s");
        try (Stage stage = Stage.start(kind, policy, site(policy, "/silent", "/body", "/silent"))) {
            RawClient leaving = stage.client().get("/page");
            await().untilAsserted(() -> assertThat(sources).allMatch(source -> source.asked.size() == 1));
            assertThat(sources).allMatch(source -> source.left.get() == 0);
            leaving.close();
            allLegsStop();
            assertThat(failures).hasSize(3).hasOnlyElementsOfType(CallCancelledException.class);
            await().untilAsserted(
                            () -> assertThat(stage.scrape().count("hangup_cancelled_total", reason("caller_closed")))
                                    .isEqualTo(1));
        }
    }

    private void allLegsStop() {
        await().untilAsserted(() -> assertThat(sources).allMatch(source -> source.left.get() == 1));
        await().untilAsserted(() -> assertThat(failures).hasSize(3));
    }
}
