package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;

/** Asynchronous requests that nobody cancels: one call each, from the first way through the filter to the response's end. */
final class AsyncIT {

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /cancels", Entry.of(Mode.CANCEL))
            .endpoint("GET /cancels/{how}", Entry.of(Mode.CANCEL))
            .build();

    private static final Executor LATER = CompletableFuture.delayedExecutor(30, TimeUnit.MILLISECONDS);

    @EachContainer
    void completesFromAnotherThreadWithAndWithoutArguments(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            AsyncContext async = "given".equals(request.getQueryString())
                    ? request.startAsync(request, response)
                    : request.startAsync();
            LATER.execute(() -> {
                print(async, request.getRequestURI() + " " + async.hasOriginalRequestAndResponse());
                async.complete();
            });
        });
        try (Hangup hangup = hangup(ledger);
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet));
                RawClient client = RawClient.connect(container)) {
            assertThat(client.get("/cancels").response().body()).isEqualTo("/cancels true");
            assertThat(client.get("/cancels?given").response().body()).isEqualTo("/cancels true");
            assertThat(client.get("/observes").response().body()).isEqualTo("/observes true");
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(3));
            assertThat(ledger.ended()).isEqualTo(3);
        }
    }

    @EachContainer
    @DisplayName("case 55: REQUEST, ASYNC and ERROR dispatch are one call, whose deadline is not restarted")
    void dispatchesAreOneCall(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        List<String> ways = new CopyOnWriteArrayList<>();
        List<Call> calls = new CopyOnWriteArrayList<>();
        List<Duration> remaining = new CopyOnWriteArrayList<>();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            Call call = Call.current();
            DispatcherType type = request.getDispatcherType();
            ways.add(type.name());
            if (type == DispatcherType.ERROR) {
                response.getWriter().print("error page");
                return;
            }
            calls.add(call);
            remaining.add(call.deadline().remaining());
            if (type == DispatcherType.REQUEST) {
                AsyncContext async = request.startAsync();
                LATER.execute(async::dispatch);
            } else {
                response.sendError(418, "no such pot");
            }
        });
        try (Hangup hangup = hangup(ledger);
                Container container = kind.start(new Site()
                        .filter(new HangupFilter(hangup))
                        .servlet("/*", servlet)
                        .errorPage(418, "/pot"));
                RawClient client = RawClient.connect(container)) {
            for (String path : List.of("/cancels", "/observes")) {
                ways.clear();
                calls.clear();
                remaining.clear();
                int ended = ledger.ended();
                RawResponse response = client.get(path).response();
                assertThat(response.status()).isEqualTo(418);
                assertThat(response.body()).isEqualTo("error page");
                assertThat(ways).containsExactly("REQUEST", "ASYNC", "ERROR");
                assertThat(calls.get(1)).isSameAs(calls.get(0));
                assertThat(remaining.get(1)).isLessThan(remaining.get(0).minusMillis(20));
                await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(ended + 1));
            }
            assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(2);
            assertThat(ledger.endedTwice()).isZero();
        }
    }

    @EachContainer
    void containersTimeoutEndsTheCallOnce(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        Heard heard = new Heard();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(100);
            async.addListener(heard);
        });
        try (Hangup hangup = hangup(ledger);
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet))) {
            for (String path : List.of("/cancels", "/observes")) {
                heard.events.clear();
                int ended = ledger.ended(Outcome.COMPLETED);
                // A connection each, because Tomcat closes it after a 500.
                try (RawClient client = RawClient.connect(container)) {
                    assertThat(client.get(path).response().status()).isEqualTo(500);
                    await().untilAsserted(() -> assertThat(heard.events).containsExactly("timeout", "complete"));
                    await().untilAsserted(() ->
                            assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(ended + 1));
                }
            }
            assertThat(ledger.endedTwice()).isZero();
        }
    }

    @EachContainer
    void listenerMayAnswerATimeout(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                response.getWriter().print("dispatched");
                return;
            }
            AsyncContext async = request.startAsync();
            async.setTimeout(100);
            async.addListener(new Heard() {
                @Override
                public void onTimeout(jakarta.servlet.AsyncEvent event) {
                    if ("dispatch".equals(request.getQueryString())) {
                        event.getAsyncContext().dispatch();
                    } else {
                        print(event.getAsyncContext(), "late");
                        event.getAsyncContext().complete();
                    }
                }
            });
        });
        try (Hangup hangup = hangup(ledger);
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet));
                RawClient client = RawClient.connect(container)) {
            for (String path : List.of("/cancels", "/observes")) {
                assertThat(client.get(path).response().body()).isEqualTo("late");
                assertThat(client.get(path + "?dispatch").response().body()).isEqualTo("dispatched");
            }
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(4));
        }
    }

    @EachContainer
    void failureAfterStartAsyncReachesTheContainerAndEndsTheCallOnce(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        Heard heard = new Heard();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            request.startAsync().addListener(heard);
            throw new IllegalArgumentException("on purpose");
        });
        try (Logged logged = Logged.begin();
                Hangup hangup = hangup(ledger);
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet))) {
            for (String path : List.of("/cancels", "/observes")) {
                heard.events.clear();
                int ended = ledger.ended(Outcome.COMPLETED);
                // A connection each, because Tomcat closes it after a 500.
                try (RawClient client = RawClient.connect(container)) {
                    assertThat(client.get(path).response().status()).isEqualTo(500);
                    await().untilAsserted(() -> assertThat(heard.events).containsExactly("error", "complete"));
                    await().untilAsserted(() ->
                            assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(ended + 1));
                }
            }
            assertThat(ledger.endedTwice()).isZero();
            assertThat(logged.alarms()).allMatch(alarm -> alarm.contains("on purpose"));
        }
    }

    @EachContainer
    void cycleMayBeginAnewInADispatch(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            boolean first = request.getDispatcherType() == DispatcherType.REQUEST;
            AsyncContext async = request.startAsync();
            LATER.execute(() -> {
                print(async, first ? "first " : "second");
                if (first) {
                    async.dispatch();
                } else {
                    async.complete();
                }
            });
        });
        try (Hangup hangup = hangup(ledger);
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet));
                RawClient client = RawClient.connect(container)) {
            for (String path : List.of("/cancels", "/observes")) {
                assertThat(client.get(path).response().body()).isEqualTo("first second");
            }
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(2));
            assertThat(ledger.endedTwice()).isZero();
        }
    }

    @EachContainer
    void startedTasksCarryTheCall(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            Call outside = Call.current();
            AsyncContext async = request.startAsync();
            async.start(() -> {
                print(async, String.valueOf(Call.current() == outside));
                async.complete();
            });
        });
        try (Hangup hangup = hangup(ledger);
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet));
                RawClient client = RawClient.connect(container)) {
            assertThat(client.get("/cancels").response().body()).isEqualTo("true");
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(1));
        }
    }

    private static Hangup hangup(Ledger ledger) {
        return Hangup.builder().policy(POLICY).listener(ledger).build();
    }

    static void print(AsyncContext async, String text) {
        try {
            async.getResponse().getWriter().print(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
