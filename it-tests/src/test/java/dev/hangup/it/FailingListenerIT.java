package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CallListener;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A listener that throws an Error harms neither the answer nor the cancel. */
final class FailingListenerIT {

    private static final Policy POLICY =
            Policy.builder().endpoint("GET /gate", Entry.of(Mode.CANCEL)).build();

    @EachContainer
    void itIsLoggedAndDropped(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        Gate gate = new Gate();
        Site site = new Site()
                .servlet("/gate", gate)
                .servlet("/fast", new LambdaServlet((request, response) -> response.getWriter()
                        .print("fast")));
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder()
                        .policy(POLICY)
                        .listener(new Failing())
                        .listener(ledger)
                        .build();
                Container container = kind.start(site.filter(new HangupFilter(hangup)));
                RawClient staying = RawClient.connect(container);
                RawClient leaving = RawClient.connect(container).get("/gate")) {
            assertThat(staying.get("/fast").response().body()).isEqualTo("fast");
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(1));
            leaving.rst();
            await().untilAsserted(() -> assertThat(gate.interrupted).hasValue(1));
            assertThat(staying.get("/fast").response().body()).isEqualTo("fast");
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(1));
            assertThat(logged.ours()).anyMatch(line -> line.contains("a listener failed"));
        }
    }

    /** It holds up the watcher, which is said once; everybody is seen all the same, later. */
    @EachContainer
    void thatItBlocksIsSaid(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        Gate gate = new Gate();
        CallListener slow = new CallListener() {
            @Override
            public void callerGone(CallScope call, CancelReason cause) {
                LockSupport.parkNanos(Duration.ofMillis(1_200).toNanos());
            }
        };
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder()
                        .policy(POLICY)
                        .listener(slow)
                        .listener(ledger)
                        .build();
                Container container =
                        kind.start(new Site().servlet("/gate", gate).filter(new HangupFilter(hangup)))) {
            for (int i = 1; i <= 2; i++) {
                int left = i;
                RawClient.connect(container).get("/gate").close();
                await().untilAsserted(() ->
                        assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(left));
            }
            assertThat(logged.ours())
                    .filteredOn(line -> line.contains("held up"))
                    .hasSize(1);
        }
    }

    private static final class Failing implements CallListener {
        @Override
        public void callerGone(CallScope call, CancelReason cause) {
            throw new AssertionError("on purpose");
        }

        @Override
        public void cancelled(CallScope call, CancelReason reason) {
            throw new AssertionError("on purpose");
        }

        @Override
        public void ended(CallScope call, Outcome outcome) {
            throw new AssertionError("on purpose");
        }
    }
}
