package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How calls end, each by what was seen of it; {@link Outcome#EXPIRED_IN_QUEUE} is not for the call to decide. */
final class OutcomeTest {
    private final TestRuntime runtime = new TestRuntime();

    @AfterEach
    void close() {
        Thread.interrupted();
        runtime.close();
    }

    @Test
    void completed() {
        assertThat(endOf(runtime.begin(TestRuntime.CANCELS))).isEqualTo(Outcome.COMPLETED);
        assertThat(endOf(runtime.begin(TestRuntime.OBSERVES))).isEqualTo(Outcome.COMPLETED);
    }

    @Test
    void committedInTimeIsCompleted() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        assertThat(call.committed()).isFalse();

        assertThat(endOf(call)).isEqualTo(Outcome.COMPLETED);
    }

    @Test
    void cancelledByWhateverReason() {
        for (CancelReason reason : CancelReason.values()) {
            CallScope call = runtime.begin(TestRuntime.CANCELS);
            assertThat(call.cancel(reason)).isTrue();

            assertThat(endOf(call)).as("%s", reason).isEqualTo(Outcome.CANCELLED);
            assertThat(call.cancelReason()).contains(reason);
        }
    }

    @Test
    void cancelledByADepartureWhereTheEndpointCancels() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.callerGone(CancelReason.STREAM_RESET);

        assertThat(endOf(call)).isEqualTo(Outcome.CANCELLED);
        assertThat(call.cancelReason()).contains(CancelReason.STREAM_RESET);
    }

    /** Not even when a framework says afterwards what the endpoint is; a deadline cancels as ever. */
    @Test
    void departureThatIsNotBelievedIsCountedAndCancelsNothing() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.callerGone(CancelReason.CALLER_CLOSED, false);
        assertThat(call.isUnowned()).isTrue();
        call.refine("GET /reports/{id}", TestRuntime.CANCELS, Duration.ofSeconds(30));
        assertThat(call.isCancelled()).isFalse();
        assertThat(endOf(call)).isEqualTo(Outcome.COMPLETED_AFTER_GONE);

        CallScope late = runtime.begin(TestRuntime.CANCELS);
        late.callerGone(CancelReason.CALLER_CLOSED, false);
        assertThat(late.cancel(CancelReason.ENDPOINT_DEADLINE)).isTrue();
        assertThat(endOf(late)).isEqualTo(Outcome.CANCELLED);
    }

    /** The engine has had enough of departures and deadlines; the application and shutdown cancel as ever. */
    @Test
    void whatIsSparedWouldHaveBeenCancelled() {
        runtime.spares = true;
        CallScope left = runtime.begin(TestRuntime.CANCELS);
        left.callerGone(CancelReason.CALLER_CLOSED);
        assertThat(left.isUnowned()).isTrue();
        left.refine("GET /reports/{id}", TestRuntime.CANCELS, Duration.ofSeconds(30));
        assertThat(endOf(left)).isEqualTo(Outcome.WOULD_CANCEL);

        CallScope late = runtime.begin(TestRuntime.CANCELS, Duration.ZERO, null);
        late.deadlinePassed();
        assertThat(late.isUnowned()).isFalse();
        assertThat(endOf(late)).isEqualTo(Outcome.DEADLINE_PASSED);

        CallScope stopped = runtime.begin(TestRuntime.CANCELS);
        stopped.callerGone(CancelReason.CALLER_CLOSED);
        assertThat(stopped.cancel(CancelReason.SHUTDOWN)).isTrue();
        assertThat(endOf(stopped)).isEqualTo(Outcome.CANCELLED);
        assertThat(runtime.heard).noneMatch(heard -> heard.startsWith("cancelled CALLER"));
    }

    @Test
    void nothingIsSparedThatWouldNotBeCancelled() {
        runtime.spares = true;
        CallScope detached = runtime.begin(TestRuntime.CANCELS);
        detached.detach();
        detached.callerGone(CancelReason.CALLER_CLOSED);
        assertThat(detached.isSpared()).isFalse();
        assertThat(endOf(detached)).isEqualTo(Outcome.DETACHED);
    }

    @Test
    void wouldCancelWhereItOnlyObserves() {
        CallScope call = runtime.begin(TestRuntime.OBSERVES);
        call.callerGone(CancelReason.CALLER_CLOSED);

        assertThat(call.isCancelled()).isFalse();
        assertThat(endOf(call)).isEqualTo(Outcome.WOULD_CANCEL);
    }

    @Test
    void committedAfterGoneWhereItOnlyObserves() {
        CallScope call = runtime.begin(TestRuntime.OBSERVES);
        call.callerGone(CancelReason.CALLER_CLOSED);
        assertThat(call.committed()).as("not too late").isFalse();

        assertThat(endOf(call)).isEqualTo(Outcome.COMMITTED_AFTER_GONE);
    }

    @Test
    void tooLateIfACommitWasUnderWay() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.callerGone(CancelReason.CALLER_CLOSED);
        assertThat(call.committed()).isTrue();

        assertThat(endOf(call)).isEqualTo(Outcome.TOO_LATE);
    }

    @Test
    void detachedWhoeverLeavesAfterwards() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.detach();
        call.callerGone(CancelReason.CALLER_CLOSED);
        call.deadlinePassed();
        call.detach();

        assertThat(call.isCancelled()).isFalse();
        assertThat(endOf(call)).isEqualTo(Outcome.DETACHED);
    }

    @Test
    void aDetachAfterACancelIsRefused() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.cancel();

        assertThatThrownBy(call::detach).isInstanceOf(CallCancelledException.class);
        assertThat(endOf(call)).isEqualTo(Outcome.CANCELLED);
    }

    @Test
    void shutdownCancelsWhatIsDetached() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.detach();
        assertThat(call.cancel(CancelReason.MANUAL)).isFalse();
        assertThat(call.cancel(CancelReason.SHUTDOWN)).isTrue();

        assertThat(endOf(call)).isEqualTo(Outcome.CANCELLED);
        assertThat(call.isDetached()).isTrue();
    }

    @Test
    void deadlinePassedWhereItOnlyObserves() {
        CallScope call = runtime.begin(TestRuntime.OBSERVES, Duration.ZERO, null);
        TestRuntime.spinUntil(() -> call.deadline().isExpired());
        call.deadlinePassed();

        assertThat(call.isCancelled()).isFalse();
        assertThat(endOf(call)).isEqualTo(Outcome.DEADLINE_PASSED);
    }

    @Test
    void aDeadlineCancelsWhereTheEndpointDoesAndNotBeforeItsTime() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.deadlinePassed();
        assertThat(call.isCancelled()).as("half a minute early").isFalse();
        assertThat(endOf(call)).isEqualTo(Outcome.COMPLETED);

        CallScope due = runtime.begin(TestRuntime.CANCELS, Duration.ZERO, null);
        due.deadlinePassed();
        assertThat(endOf(due)).isEqualTo(Outcome.CANCELLED);
        assertThat(due.cancelReason()).contains(CancelReason.ENDPOINT_DEADLINE);
    }

    @Test
    void aDeadlineIsMootOnceTheResponseIsOver() {
        CallScope call = runtime.begin(TestRuntime.CANCELS, Duration.ZERO, null);
        call.responseOver();
        call.deadlinePassed();

        assertThat(call.isCancelled()).isFalse();
        call.leave();
    }

    @Test
    @DisplayName("case 18: work that ended by itself after its caller left is not a success")
    void completedAfterGoneIfTheCancelLostToTheEnd() {
        // What the race leaves behind: the departure is marked, and its cancel finds the call over.
        CallScope call = runtime.begin(TestRuntime.OBSERVES);
        call.callerGone(CancelReason.CALLER_CLOSED);
        call.treatment = TestRuntime.CANCELS;

        assertThat(endOf(call)).isEqualTo(Outcome.COMPLETED_AFTER_GONE);
    }

    private Outcome endOf(CallScope call) {
        runtime.heard.clear();
        TestRuntime.end(call);
        String last = runtime.heard.get(runtime.heard.size() - 1);
        assertThat(call.isEnded()).isTrue();
        assertThat(Thread.interrupted()).as("left its interrupt behind").isFalse();
        return Outcome.valueOf(last.substring("ended ".length()));
    }
}
