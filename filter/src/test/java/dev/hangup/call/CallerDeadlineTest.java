package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a call whose caller has said how long it waits. */
final class CallerDeadlineTest {
    private static final Duration OWN = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofNanos(1);

    private final TestRuntime runtime = new TestRuntime();

    @AfterEach
    void close() {
        Thread.interrupted();
        runtime.close();
    }

    private CallScope begin(Treatment treatment, Duration waited, @Nullable Duration declared) {
        return CallScope.begin(
                runtime, "GET", "GET /reports/{id}", treatment, OWN, new Arrival(waited, declared), true, null, null);
    }

    private static Duration left(CallScope call) {
        return Duration.ofNanos(call.deadlineAt() - call.startedAt());
    }

    @Test
    void itCanOnlyShorten() {
        CallScope shorter = begin(TestRuntime.CANCELS, Duration.ZERO, Duration.ofSeconds(2));
        assertThat(left(shorter)).isEqualTo(Duration.ofSeconds(2));
        assertThat(shorter.isDeadlineDeclared()).isTrue();
        TestRuntime.end(shorter);

        CallScope longer = begin(TestRuntime.CANCELS, Duration.ZERO, Duration.ofSeconds(31));
        assertThat(left(longer)).isEqualTo(OWN);
        assertThat(longer.isDeadlineDeclared()).isFalse();
        TestRuntime.end(longer);
    }

    @Test
    void itStaysTheSmallerOneWhenTheRouteIsKnown() {
        CallScope call = begin(TestRuntime.OBSERVES, Duration.ofSeconds(1), Duration.ofSeconds(5));
        call.refine("GET /quick", TestRuntime.CANCELS, Duration.ofSeconds(3));
        assertThat(left(call)).isEqualTo(Duration.ofSeconds(2));
        assertThat(call.isDeadlineDeclared()).isFalse();
        call.refine("GET /slow", TestRuntime.CANCELS, Duration.ofMinutes(3));
        assertThat(left(call)).isEqualTo(Duration.ofSeconds(4));
        assertThat(call.allowed()).isEqualTo(Duration.ofSeconds(5));
        assertThat(call.isDeadlineDeclared()).isTrue();
        TestRuntime.end(call);
    }

    @Test
    void theWaitForAWorkerCountsAndNeverForMoreThanTheDeadline() {
        CallScope call = begin(TestRuntime.CANCELS, Duration.ofSeconds(3), null);
        assertThat(left(call)).isEqualTo(Duration.ofSeconds(27));
        assertThat(call.isBelated()).isFalse();
        TestRuntime.end(call);

        CallScope belated = begin(TestRuntime.CANCELS, Duration.ofSeconds(3), Duration.ofSeconds(2));
        assertThat(left(belated)).isZero();
        assertThat(belated.deadline().remaining()).isZero();
        assertThat(belated.isBelated()).isTrue();
        TestRuntime.end(belated);
    }

    @Test
    void pastItTheWorkIsCancelledForThatReason() {
        CallScope call = begin(TestRuntime.CANCELS, Duration.ZERO, SHORT);
        call.deadlinePassed();
        TestRuntime.awaitCancelled(call);
        assertThat(call.cancelReason()).hasValue(CancelReason.CALLER_DEADLINE);
        assertThat(call.unownedSince()).isEqualTo(call.deadlineAt());
        TestRuntime.end(call);

        assertThat(runtime.heard)
                .containsExactly("unowned", "cancelled CALLER_DEADLINE", "leaves 1", "ended CANCELLED");
    }

    @Test
    void pastItTheWorkIsUnownedEvenWhereNothingIsCancelled() {
        CallScope call = begin(TestRuntime.OBSERVES, Duration.ZERO, SHORT);
        call.deadlinePassed();
        assertThat(call.isUnowned()).isTrue();
        assertThat(call.unownedSince()).isEqualTo(call.deadlineAt());
        assertThat(call.caller()).isEqualTo(CallerState.PRESENT);
        TestRuntime.end(call);

        assertThat(runtime.heard).containsExactly("unowned", "leaves 1", "ended DEADLINE_PASSED");
    }

    /** The endpoint's own deadline is no word of the caller's, who may wait on. */
    @Test
    void pastTheEndpointsOwnItIsNot() {
        CallScope call = runtime.begin(TestRuntime.OBSERVES, Duration.ZERO, null);
        call.deadlinePassed();
        assertThat(call.isUnowned()).isFalse();
        TestRuntime.end(call);
    }

    @Test
    void whatIsSparedIsUnownedAllTheSame() {
        runtime.spares = true;
        CallScope call = begin(TestRuntime.CANCELS, Duration.ZERO, SHORT);
        call.deadlinePassed();
        assertThat(call.isCancelled()).isFalse();
        assertThat(call.isUnowned()).isTrue();
        TestRuntime.end(call);
    }

    @Test
    void detachedWorkIsNot() {
        CallScope call = begin(TestRuntime.OBSERVES, Duration.ZERO, SHORT);
        call.detach();
        call.deadlinePassed();
        assertThat(call.isUnowned()).isFalse();
        TestRuntime.end(call);
    }

    @Test
    void whoHasWaitedTooLongNeverBegins() {
        CallScope call = begin(TestRuntime.CANCELS, Duration.ofSeconds(3), Duration.ofSeconds(2));
        call.queued();
        call.deadlinePassed();
        assertThat(call.admit()).isFalse();
        TestRuntime.end(call);

        assertThat(runtime.heard)
                .containsExactly("unowned", "cancelled CALLER_DEADLINE", "leaves 1", "ended EXPIRED_IN_QUEUE");
    }
}
