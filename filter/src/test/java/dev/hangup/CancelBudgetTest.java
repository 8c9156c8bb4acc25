package dev.hangup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Treatment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** The safety valve, second by second. */
final class CancelBudgetTest implements CallRuntime {
    private static final Treatment CANCELS =
            new Treatment(true, true, true, true, Duration.ofMinutes(1), Duration.ofMinutes(1));

    private final List<String> log = new ArrayList<>();
    private final CancelBudget budget = new CancelBudget(0.2, log::add);

    @Test
    void upToItsShareIsCancelledAndThenNothing() {
        List<CallScope> calls = begin(100);
        assertThat(depart(calls.subList(0, 20))).isEqualTo(20);
        assertThat(log).isEmpty();
        assertThat(depart(calls.subList(20, 100))).isZero();

        assertThat(log)
                .containsExactly("21 of the 100 calls of the last 10 s were to be cancelled, max-cancel-share is 20%:"
                        + " departures and deadlines cancel nothing for now, and go on being counted");
    }

    @Test
    void itCancelsAgainOnceTheTenSecondsAreOver() {
        leave(begin(10));
        tick(9);
        assertThat(leave(begin(1))).as("still shut").isZero();
        tick(1);
        assertThat(log).hasSize(2).last().asString().endsWith(": departures and deadlines cancel again");
        begin(8); // with the one that left a second ago
        assertThat(leave(begin(1))).isEqualTo(1);
        assertThat(leave(begin(2))).isZero();
        assertThat(log).hasSize(3);
    }

    @Test
    void itStaysShutWhileMostOfTheCallsLeave() {
        for (int second = 0; second < 60; second++) {
            leave(begin(10));
            tick(1);
        }
        assertThat(log).hasSize(1);
        tick(9);
        assertThat(log).hasSize(2);
    }

    /** On a server with nothing else to do every departure is a departure of all. */
    @Test
    void oneInTenSecondsIsAlwaysCancelled() {
        for (int i = 0; i < 3; i++) {
            assertThat(leave(begin(1))).isEqualTo(1);
            tick(10);
        }
        assertThat(log).isEmpty();
    }

    /** Whatever was under way in the ten seconds counts, and nothing that had ended before. */
    @Test
    void theShareIsOfTheCallsOfTenSeconds() {
        List<CallScope> old = begin(100);
        tick(30);
        old.subList(0, 50).forEach(CallScope::responseOver);
        assertThat(leave(old.subList(50, 70))).as("of 100").isEqualTo(20);
        tick(10);
        assertThat(leave(old.subList(70, 100))).as("of 30").isEqualTo(6);
    }

    /** A caller that has left and whose deadline passes is one call. */
    @Test
    void aCallCountsOnce() {
        List<CallScope> calls = begin(10);
        depart(calls);
        tick(10);
        assertThat(log).hasSize(2);
        calls.subList(2, 10).forEach(CallScope::deadlinePassed);
        assertThat(calls.subList(2, 10))
                .as("spared calls end by their deadline")
                .allMatch(CallScope::isCancelled);
    }

    private void tick(int seconds) {
        for (int i = 0; i < seconds; i++) {
            budget.tick();
        }
    }

    private List<CallScope> begin(int count) {
        List<CallScope> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            CallScope call = CallScope.begin(this, "GET", "GET /", CANCELS, Duration.ZERO, false, null);
            call.leave();
            calls.add(call);
        }
        return calls;
    }

    /** How many of these are cancelled when their callers leave; then they end. */
    private static long leave(List<CallScope> calls) {
        long cancelled = depart(calls);
        calls.forEach(CallScope::responseOver);
        return cancelled;
    }

    private static long depart(List<CallScope> calls) {
        calls.forEach(call -> call.callerGone(CancelReason.CALLER_CLOSED));
        return calls.stream().filter(CallScope::isCancelled).count();
    }

    @Override
    public boolean mayCancel(CallScope call) {
        return budget.allows(call);
    }

    @Override
    public Executor canceller() {
        return task -> {};
    }

    @Override
    public void at(long nanoTime, Runnable task) {}

    @Override
    public CallListener listener() {
        return budget;
    }

    @Override
    public void began(CallScope call) {
        budget.began();
    }
}
