package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** From when on nobody waits for a call: the earliest of departure and cancel, up to a detach. */
final class UnownedTest {
    private final TestRuntime runtime = new TestRuntime();

    @AfterEach
    void close() {
        Thread.interrupted();
        assertThat(CallScope.current()).isNull();
        runtime.close();
    }

    @Test
    void unownedSinceTheDeparture() {
        CallScope call = runtime.begin(TestRuntime.OBSERVES);
        assertThat(call.isUnowned()).isFalse();
        call.callerGone(CancelReason.CALLER_CLOSED);

        assertThat(call.caller()).isEqualTo(CallerState.GONE);
        assertThat(call.isUnowned()).isTrue();
        assertThat(call.unownedSince()).isEqualTo(call.callerGoneAt()).isNotZero();
        TestRuntime.end(call);
        assertThat(runtime.heard).containsExactly("gone CALLER_CLOSED", "unowned", "leaves 1", "ended WOULD_CANCEL");
    }

    @Test
    void aWorkerThatComesAfterTheEndIsNotCounted() {
        CallScope call = runtime.begin(TestRuntime.OBSERVES);
        call.callerGone(CancelReason.CALLER_CLOSED);
        TestRuntime.end(call);
        runtime.heard.clear();
        call.attach();
        assertThat(call.workers()).isZero();
        call.leave();

        assertThat(runtime.heard).containsExactly("joins 0");
        assertThat(call.holds()).isZero();
    }

    @Test
    void unownedSinceACancelForAnyReason() {
        CallScope call = runtime.begin(TestRuntime.OBSERVES);
        call.cancel();

        assertThat(call.unownedSince()).isEqualTo(call.cancelledAt()).isNotZero();
        assertThat(call.caller()).isEqualTo(CallerState.PRESENT);
        TestRuntime.end(call);
    }

    @Test
    void unownedSinceTheEarlierOfDepartureAndCancel() {
        CallScope gone = runtime.begin(TestRuntime.OBSERVES);
        gone.callerGone(CancelReason.CALLER_CLOSED);
        gone.cancel();
        assertThat(gone.unownedSince()).isEqualTo(gone.callerGoneAt());
        TestRuntime.end(gone);

        CallScope cancelled = runtime.begin(TestRuntime.OBSERVES);
        cancelled.cancel();
        long since = cancelled.unownedSince();
        cancelled.callerGone(CancelReason.CALLER_CLOSED);
        assertThat(cancelled.unownedSince()).isEqualTo(since);
        TestRuntime.end(cancelled);
    }

    @Test
    void detachedIsNeverUnownedNotEvenWhenShutdownCancelsIt() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.detach();
        call.callerGone(CancelReason.CALLER_CLOSED);
        call.cancel(CancelReason.SHUTDOWN);

        assertThat(call.isUnowned()).isFalse();
        assertThat(call.unownedSince()).isZero();
        TestRuntime.end(call);
        assertThat(runtime.heard)
                .containsExactly("detached", "gone CALLER_CLOSED", "cancelled SHUTDOWN", "ended CANCELLED");
    }

    @Test
    void detachingEndsTheUnownedStretch() {
        CallScope call = runtime.begin(TestRuntime.OBSERVES);
        call.callerGone(CancelReason.CALLER_CLOSED);
        call.detach();

        assertThat(call.isUnowned()).isFalse();
        TestRuntime.end(call);
        assertThat(runtime.heard).containsExactly("gone CALLER_CLOSED", "unowned", "detached", "ended DETACHED");
    }
}
