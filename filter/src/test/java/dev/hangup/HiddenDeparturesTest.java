package dev.hangup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Treatment;
import dev.hangup.call.Unwatched;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When an endpoint is pointed out as probably behind a proxy that hides departures, and when not. */
final class HiddenDeparturesTest implements CallRuntime {

    private static final String SLOW = "GET /slow";

    /** In the past when the call begins. */
    private static final Duration DEADLINE = Duration.ofNanos(-1);

    private HiddenDepartures hidden = new HiddenDepartures(DEADLINE);
    private final Logger logger = Logger.getLogger("dev.hangup");
    private final List<String> said = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            said.add(entry.getLevel() + " " + entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    @Test
    @DisplayName("case 8: an endpoint whose callers never leave while deadlines expire is pointed out, once")
    void anEndpointWhoseCallersNeverLeaveIsPointedOutOnce() {
        expire(HiddenDepartures.ENOUGH - 1, treatment(true, true));
        assertThat(hidden.endpoints()).isEmpty();
        assertThat(said).isEmpty();

        expire(1, treatment(true, true));
        assertThat(hidden.endpoints()).containsExactly(SLOW);
        expire(100, treatment(true, true));
        assertThat(said).singleElement().asString().startsWith("WARNING").contains(SLOW, "proxy");
    }

    @Test
    void oneThatOnlyObservesIsToo() {
        expire(HiddenDepartures.ENOUGH, treatment(false, true));
        assertThat(hidden.endpoints()).containsExactly(SLOW);
    }

    @Test
    void oneDepartureIsEnoughToKnowBetter() {
        call(SLOW, treatment(true, true), call -> call.callerGone(CancelReason.CALLER_CLOSED));
        expire(100, treatment(true, true));
        assertThat(hidden.endpoints()).isEmpty();
        assertThat(said).isEmpty();
    }

    @Test
    void aDepartureClearsTheEndpointAfterwardsToo() {
        expire(HiddenDepartures.ENOUGH, treatment(true, true));
        call(SLOW, treatment(true, true), call -> call.callerGone(CancelReason.CALLER_RESET));
        assertThat(hidden.endpoints()).isEmpty();
    }

    @Test
    void departuresElsewhereSayNothing() {
        call("GET /other", treatment(true, true), call -> call.callerGone(CancelReason.CALLER_CLOSED));
        expire(HiddenDepartures.ENOUGH, treatment(true, true));
        assertThat(hidden.endpoints()).containsExactly(SLOW);
    }

    @Test
    void whatCouldNotHaveBeenSeenIsNoEvidence() {
        expire(100, treatment(true, false));
        for (int i = 0; i < 100; i++) {
            call(SLOW, treatment(true, true), call -> {
                call.unwatched(Unwatched.NIO2);
                call.deadlinePassed();
            });
        }
        assertThat(hidden.endpoints()).isEmpty();
    }

    @Test
    void deadlinesThatPassBeforeAnybodyLosesPatienceAreNoEvidence() {
        hidden = new HiddenDepartures();
        expire(100, treatment(true, true));
        assertThat(hidden.endpoints()).isEmpty();
    }

    @Test
    void otherEndsAreNoEvidence() {
        for (int i = 0; i < 100; i++) {
            call(SLOW, treatment(true, true), call -> call.cancel(CancelReason.SHUTDOWN));
            call(SLOW, treatment(true, true), CallScope::cancel);
            call(SLOW, treatment(false, true), CallScope::detach);
            CallScope quick = begin(SLOW, treatment(true, true), Duration.ofMinutes(1));
            end(quick);
        }
        assertThat(hidden.endpoints()).isEmpty();
    }

    @Test
    void endpointsBeyondTheBoundAreForgotten() {
        for (int i = 0; i < 2 * HiddenDepartures.MOST; i++) {
            for (int times = 0; times < HiddenDepartures.ENOUGH; times++) {
                call("GET /" + i, treatment(true, true), CallScope::deadlinePassed);
            }
        }
        assertThat(hidden.endpoints()).hasSize(HiddenDepartures.MOST);
    }

    private void expire(int times, Treatment treatment) {
        for (int i = 0; i < times; i++) {
            call(SLOW, treatment, CallScope::deadlinePassed);
        }
    }

    /** A call whose deadline has passed, from its begin to its end. */
    private void call(String endpoint, Treatment treatment, Consumer<CallScope> event) {
        CallScope call = begin(endpoint, treatment, DEADLINE);
        event.accept(call);
        end(call);
    }

    private CallScope begin(String endpoint, Treatment treatment, Duration deadline) {
        return CallScope.begin(this, "GET", endpoint, treatment, deadline, false, null);
    }

    private static void end(CallScope call) {
        call.leave();
        call.responseOver();
    }

    private static Treatment treatment(boolean cancels, boolean halfCloseIsGone) {
        Duration never = Duration.ofHours(1);
        return new Treatment(cancels, false, halfCloseIsGone, true, never, never);
    }

    @Override
    public Executor canceller() {
        return Runnable::run;
    }

    @Override
    public void at(long nanoTime, Runnable task) {}

    @Override
    public CallListener listener() {
        return hidden;
    }

    @Override
    public void began(CallScope call) {}
}
