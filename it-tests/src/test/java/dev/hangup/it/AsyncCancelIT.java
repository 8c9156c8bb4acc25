package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** An asynchronous request that is cancelled is completed by us, once, and what the application does later comes to nothing. */
@EachLine
final class AsyncCancelIT {

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /wait", Entry.of(Mode.CANCEL))
            .endpoint("GET /late", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(200)))
            .build();

    @EachContainer
    void callerLeavesWhileItWaits(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        Heard heard = new Heard();
        List<AsyncContext> contexts = new CopyOnWriteArrayList<>();
        Site site = new Site().servlet("/*", new LambdaServlet((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            async.addListener(heard);
            contexts.add(async);
        }));
        try (Logged logged = Logged.begin();
                Hangup hangup = hangup(ledger);
                Container container = kind.start(site.filter(new HangupFilter(hangup)))) {
            RawClient closing = RawClient.connect(container).get("/wait");
            RawClient resetting = RawClient.connect(container).get("/wait");
            await().untilAsserted(() -> assertThat(contexts).hasSize(2));
            closing.close();
            resetting.rst();
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(2));
            await().untilAsserted(() -> assertThat(heard.events).containsExactly("complete", "complete"));
            assertThat(ledger.cancelled(CancelReason.CALLER_CLOSED)).isEqualTo(1);
            assertThat(ledger.cancelled(CancelReason.CALLER_RESET)).isEqualTo(1);
            for (AsyncContext async : contexts) {
                async.complete(); // the application does not know
                async.dispatch();
            }
            // Tomcat logs an asynchronous response that it cannot send, because of the reset, as a 500.
            await().untilAsserted(() -> assertThat(site.accessLog()).hasSize(2).contains("GET /wait 499"));
            assertThat(ledger.ended()).isEqualTo(2);
            assertThat(ledger.endedTwice()).isZero();
            logged.assertNoAlarms();
        }
    }

    @EachContainer
    void deadlineIsAnsweredAndTheConnectionGoesOn(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        Heard heard = new Heard();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            AsyncContext async = request.startAsync();
            async.addListener(heard);
            response.setHeader("Half", "done");
            AsyncIT.print(async, "half an answer");
        });
        try (Logged logged = Logged.begin();
                Hangup hangup = hangup(ledger);
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet));
                RawClient client = RawClient.connect(container)) {
            for (int i = 1; i <= 3; i++) {
                RawResponse response = client.get("/late").response();
                assertThat(response.status()).isEqualTo(504);
                assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
                assertThat(response.header("Half")).isNull();
                assertThat(response.body())
                        .startsWith("{")
                        .doesNotContain("half")
                        .endsWith("}");
                int times = i;
                await().untilAsserted(
                                () -> assertThat(heard.events).hasSize(times).containsOnly("complete"));
            }
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(3));
            logged.assertNoAlarms();
        }
    }

    @EachContainer
    void callerLeavesInTheSecondCycle(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        CountDownLatch second = new CountDownLatch(1);
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                async.dispatch();
            } else {
                second.countDown();
            }
        });
        try (Logged logged = Logged.begin();
                Hangup hangup = hangup(ledger);
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet))) {
            RawClient client = RawClient.connect(container).get("/wait");
            assertThat(second.await(5, TimeUnit.SECONDS)).isTrue();
            client.close();
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(1));
            assertThat(ledger.ended()).isEqualTo(1);
            await().untilAsserted(() -> assertThat(container.busyWorkers()).isZero());
            logged.assertNoAlarms();
        }
    }

    @EachContainer
    void startedTaskIsInterrupted(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        CompletableFuture<CancelReason> interrupted = new CompletableFuture<>();
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch working = new CountDownLatch(1);
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            async.start(() -> {
                working.countDown();
                try {
                    never.await();
                } catch (InterruptedException e) {
                    interrupted.complete(Call.current().cancelReason().orElseThrow());
                }
                async.complete();
            });
        });
        try (Logged logged = Logged.begin();
                Hangup hangup = hangup(ledger);
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet))) {
            RawClient client = RawClient.connect(container).get("/wait");
            assertThat(working.await(5, TimeUnit.SECONDS)).isTrue();
            client.close();
            assertThat(interrupted.get(5, TimeUnit.SECONDS)).isEqualTo(CancelReason.CALLER_CLOSED);
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(1));
            await().untilAsserted(() -> assertThat(container.busyWorkers()).isZero());
            logged.assertNoAlarms();
        }
    }

    /** Part of the answer is on its way: it must not look whole. */
    @EachContainer
    void committedResponseIsBrokenOffAtTheDeadline(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            request.startAsync().setTimeout(0);
            ServletOutputStream out = response.getOutputStream();
            out.print("the first half");
            out.flush();
        });
        try (Logged logged = Logged.begin();
                Hangup hangup = hangup(ledger);
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet))) {
            for (String connection : List.of("keep-alive", "close")) {
                try (RawClient client = RawClient.connect(container)) {
                    client.get("/late", "Connection: " + connection);
                    assertThatThrownBy(client::response).isInstanceOf(IOException.class);
                }
            }
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(2));
            logged.assertNoAlarms();
        }
    }

    private static Hangup hangup(Ledger ledger) {
        return Hangup.builder().policy(POLICY).listener(ledger).build();
    }
}
