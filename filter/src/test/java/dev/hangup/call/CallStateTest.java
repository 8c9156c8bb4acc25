package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every arrow that the class comment draws, and that there is no other. */
final class CallStateTest {
    private final CallState state = new CallState() {};

    @ParameterizedTest
    @EnumSource(CancelReason.class)
    void runningToCancellingKeepsItsReasonToTheEnd(CancelReason reason) {
        assertThat(state.reason()).isNull();

        assertThat(state.toCancelling(reason)).isTrue();
        assertState(CallState.CANCELLING, reason, false);
        state.toCancelled();
        assertState(CallState.CANCELLED, reason, false);
        state.toEnded();
        assertState(CallState.ENDED, reason, false);
    }

    @Test
    void runningToEnded() {
        state.toEnded();

        assertState(CallState.ENDED, null, false);
    }

    @Test
    void cancellingToEndedLeavesNothingToFinish() {
        state.toCancelling(CancelReason.MANUAL);
        state.toEnded();
        state.toCancelled();

        assertState(CallState.ENDED, CancelReason.MANUAL, false);
    }

    @Test
    void runningToDetachedToEnded() {
        assertThat(state.toDetached()).isTrue();
        assertState(CallState.DETACHED, null, true);
        state.toEnded();

        assertState(CallState.ENDED, null, true);
    }

    @ParameterizedTest
    @EnumSource(value = CancelReason.class, mode = EnumSource.Mode.EXCLUDE, names = "SHUTDOWN")
    void detachedIsCancelledByNothing(CancelReason reason) {
        state.toDetached();

        assertThat(state.toCancelling(reason)).isFalse();
        assertState(CallState.DETACHED, null, true);
    }

    @Test
    void detachedIsCancelledByShutdownAlone() {
        state.toDetached();

        assertThat(state.toCancelling(CancelReason.SHUTDOWN)).isTrue();
        assertState(CallState.CANCELLING, CancelReason.SHUTDOWN, true);
    }

    @Test
    void theFirstCancelWins() {
        assertThat(state.toCancelling(CancelReason.CALLER_CLOSED)).isTrue();
        assertThat(state.toCancelling(CancelReason.SHUTDOWN)).isFalse();
        state.toCancelled();
        assertThat(state.toCancelling(CancelReason.MANUAL)).isFalse();

        assertState(CallState.CANCELLED, CancelReason.CALLER_CLOSED, false);
    }

    @Test
    void onlyRunningIsDetached() {
        state.toCancelling(CancelReason.MANUAL);
        assertThat(state.toDetached()).isFalse();
        state.toCancelled();
        assertThat(state.toDetached()).isFalse();
        state.toEnded();
        assertThat(state.toDetached()).isFalse();

        assertState(CallState.ENDED, CancelReason.MANUAL, false);
    }

    @Test
    void detachingTwiceHappensOnce() {
        assertThat(state.toDetached()).isTrue();
        assertThat(state.toDetached()).isFalse();
    }

    @Test
    void endedStaysEnded() {
        state.toEnded();

        assertThat(state.toCancelling(CancelReason.SHUTDOWN)).isFalse();
        state.toCancelled();
        assertThat(state.toDetached()).isFalse();
        assertState(CallState.ENDED, null, false);
    }

    @Test
    void onlyCancellingBecomesCancelled() {
        state.toCancelled();
        assertState(CallState.RUNNING, null, false);
        state.toDetached();
        state.toCancelled();
        assertState(CallState.DETACHED, null, true);
    }

    @Test
    void theLastHoldIsGivenUpOnce() {
        assertThat(state.holds()).isEqualTo(2);
        assertThat(state.hold()).isTrue();
        assertThat(state.release()).isFalse();
        assertThat(state.release()).isFalse();
        assertThat(state.release()).isTrue();
        assertThat(state.hold()).as("nobody joins a call that is over").isFalse();
        assertThat(state.holds()).isZero();
    }

    private void assertState(int phase, @Nullable CancelReason reason, boolean detached) {
        assertThat(state.phase()).isEqualTo(phase);
        assertThat(state.reason()).isEqualTo(reason);
        assertThat(state.wasDetached()).isEqualTo(detached);
    }
}
