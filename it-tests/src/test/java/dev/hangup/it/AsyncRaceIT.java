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
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The application ends an asynchronous request at the very moment in which it is cancelled. Whoever is first, the caller has
 * one answer, whole, of one of the two; the call ends once; nobody fails.
 */
final class AsyncRaceIT {

    private static final int CLIENTS = 8;
    private static final int ROUNDS = 60;
    private static final long SEED = 24;
    private static final int DEADLINE = 30;

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /end/{how}", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(DEADLINE)))
            .build();

    @EachContainer
    void completesOrDispatchesAtTheDeadline(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        AtomicInteger answers = new AtomicInteger();
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(new Site()
                        .filter(new HangupFilter(hangup))
                        .servlet("/*", new LambdaServlet(AsyncRaceIT::end)))) {
            Crowd.of(CLIENTS, client -> {
                Random random = new Random(SEED + client);
                try (RawClient connection = RawClient.connect(container)) {
                    for (int i = 0; i < ROUNDS; i++) {
                        String name = client + "-" + i;
                        String how = random.nextBoolean() ? "complete" : "dispatch";
                        connection.get("/end/" + how + "?" + (DEADLINE - 3 + random.nextInt(8)), "Name: " + name);
                        RawResponse response = connection.response();
                        if (response.status() == 200) {
                            answers.incrementAndGet();
                            assertThat(response.body()).isEqualTo("answer to " + name);
                        } else {
                            assertThat(response.status()).isEqualTo(504);
                            assertThat(response.header("Name")).isNull();
                            assertThat(response.body()).startsWith("{\"type\"").endsWith("\"}");
                        }
                    }
                }
            });
            int rounds = CLIENTS * ROUNDS;
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(rounds));
            assertThat(ledger.endedTwice()).isZero();
            assertThat(answers.get()).as("%s", ledger).isBetween(rounds / 20, rounds - rounds / 20);
            // A call whose cancel came when its answer was sealed may count as cancelled, never the other way round.
            assertThat(ledger.ended(Outcome.CANCELLED)).isGreaterThanOrEqualTo(rounds - answers.get());
            await().untilAsserted(() -> assertThat(container.busyWorkers()).isZero());
            logged.assertNoAlarms();
        }
    }

    @EachContainer
    void callerLeavesAsTheApplicationEnds(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(new Site()
                        .filter(new HangupFilter(hangup))
                        .servlet("/*", new LambdaServlet(AsyncRaceIT::end)))) {
            Crowd.of(CLIENTS, client -> {
                Random random = new Random(SEED + client);
                for (int i = 0; i < ROUNDS; i++) {
                    String how = random.nextBoolean() ? "complete" : "dispatch";
                    RawClient connection = RawClient.connect(container).get("/end/" + how + "?10", "Name: x");
                    Thread.sleep(8 + random.nextInt(4)); // to leave in the very moment in which the call ends
                    if (random.nextBoolean()) {
                        connection.close();
                    } else {
                        connection.rst();
                    }
                }
            });
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(CLIENTS * ROUNDS));
            assertThat(ledger.endedTwice()).isZero();
            await().untilAsserted(() -> assertThat(container.busyWorkers()).isZero());
            logged.assertNoAlarms();
        }
    }

    /** The application's thread is in the midst of a write: the answer to the cancel must not mix with it. */
    @EachContainer
    void applicationWritesAtTheDeadline(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        AtomicInteger whole = new AtomicInteger();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            AsyncContext async = request.startAsync();
            boolean flush = "flush".equals(request.getQueryString());
            CompletableFuture.delayedExecutor(DEADLINE - 10, TimeUnit.MILLISECONDS)
                    .execute(() -> pour(async, flush));
        });
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet))) {
            Crowd.of(CLIENTS, client -> {
                for (int i = 0; i < ROUNDS / 2; i++) {
                    try (RawClient connection = RawClient.connect(container)) {
                        connection.get("/end/x?" + (i % 2 == 0 ? "flush" : ""));
                        RawResponse response = connection.response();
                        assertThat(response.status()).as("%s", response).isEqualTo(504);
                        assertThat(response.body()).startsWith("{\"type\"").endsWith("\"}");
                        whole.incrementAndGet();
                    } catch (IOException e) {
                        assertThat(i % 2)
                                .as("broken off although nothing was sent: %s", e)
                                .isZero();
                    }
                }
            });
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(CLIENTS * ROUNDS / 2));
            assertThat(whole.get()).isGreaterThanOrEqualTo(CLIENTS * ROUNDS / 4);
            await().untilAsserted(() -> assertThat(container.busyWorkers()).isZero());
            logged.assertNoAlarms();
        }
    }

    /** Writes as fast as it can until it is refused, either into the buffer or through it. */
    private static void pour(AsyncContext async, boolean flush) {
        ServletResponse response = async.getResponse();
        try {
            ServletOutputStream out = response.getOutputStream();
            long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
            while (System.nanoTime() < until) {
                if (flush) {
                    out.print("some of it\n");
                    out.flush();
                } else {
                    out.print("some of it\n");
                    response.resetBuffer();
                    ((HttpServletResponse) response).setStatus(202);
                }
            }
            async.complete();
        } catch (IOException e) {
            async.complete(); // refused: the application gives up, and does not know that it is over
        }
    }

    private static void end(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getHeader("Name");
        if (request.getDispatcherType() == DispatcherType.ASYNC) {
            answer(response, name);
            return;
        }
        AsyncContext async = request.startAsync();
        boolean dispatch = request.getRequestURI().endsWith("dispatch");
        CompletableFuture.delayedExecutor(Integer.parseInt(request.getQueryString()), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    if (dispatch) {
                        async.dispatch();
                        return;
                    }
                    try {
                        answer(response, name);
                    } catch (IOException e) {
                        assertThat(e).hasMessageContaining("is cancelled");
                    }
                    async.complete();
                });
    }

    private static void answer(HttpServletResponse response, String name) throws IOException {
        response.setHeader("Name", name);
        response.getOutputStream().print("answer ");
        response.getOutputStream().print("to ");
        response.getOutputStream().print(name);
    }
}
