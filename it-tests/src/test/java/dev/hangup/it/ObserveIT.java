package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.call.CallerState;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;

/** Observing counts what would have been cancelled, and touches nothing. */
final class ObserveIT {

    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /quick", Entry.of(Mode.OBSERVE).normal(Duration.ofMillis(150)))
            .build();

    @EachContainer
    @DisplayName("case 56: request and response are handed through untouched, dispatches included")
    void requestAndResponseAreTheContainersOwn(ContainerKind kind) throws Exception {
        List<Object> outside = new CopyOnWriteArrayList<>();
        List<Object> inside = new CopyOnWriteArrayList<>();
        Filter before = (request, response, chain) -> {
            outside.addAll(List.of(request, response));
            chain.doFilter(request, response);
        };
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            inside.addAll(List.of(request, response));
            if (inside.size() == 2) {
                AsyncContext async = request.startAsync();
                async.dispatch();
            } else {
                response.getWriter().print("done");
            }
        });
        try (Hangup hangup = Hangup.builder().policy(POLICY).build();
                Container container = kind.start(new Site()
                        .filter(before)
                        .filter(new HangupFilter(hangup))
                        .servlet("/*", servlet));
                RawClient client = RawClient.connect(container)) {
            assertThat(client.get("/").response().body()).isEqualTo("done");
            assertThat(inside).hasSize(4);
            for (int i = 0; i < 4; i++) {
                assertThat(inside.get(i)).isSameAs(outside.get(i));
            }
        }
    }

    @EachContainer
    void departureIsCountedAndTheWorkGoesOn(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        Gate gate = new Gate();
        CompletableFuture<Call> call = new CompletableFuture<>();
        CompletableFuture<CancelReason> hook = new CompletableFuture<>();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            call.complete(Call.current());
            Call.current().onCallerGone(hook::complete);
            gate.doGet(request, response);
        });
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet))) {
            RawClient client = RawClient.connect(container).get("/");
            Call seen = call.get(5, TimeUnit.SECONDS);
            assertThat(seen.caller()).isEqualTo(CallerState.PRESENT);
            client.close();
            assertThat(hook.get(5, TimeUnit.SECONDS)).isEqualTo(CancelReason.CALLER_CLOSED);
            assertThat(seen.caller()).isEqualTo(CallerState.GONE);
            await().during(Duration.ofMillis(300)).until(() -> gate.interrupted.get() == 0 && !seen.isCancelled());
            gate.open();
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.WOULD_CANCEL)).isEqualTo(1));
            assertThat(gate.answered).hasValue(1);
            assertThat(ledger.ended()).isEqualTo(1);
        }
    }

    @EachContainer
    void passedDeadlineIsCountedAndTheAnswerArrives(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        CountDownLatch never = new CountDownLatch(1);
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            boolean opened = never.await(500, TimeUnit.MILLISECONDS);
            response.getWriter().print(opened + " " + Call.current().isCancelled());
        });
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet));
                RawClient client = RawClient.connect(container)) {
            RawResponse response = client.get("/quick").response();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("false false");
            await().untilAsserted(() ->
                    assertThat(ledger.ended(Outcome.DEADLINE_PASSED)).isEqualTo(1));
        }
    }
}
