package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The life of a call as its listener hears it: what begins, who works, who leaves, and that it ends once. */
final class CallScopeTest {
    private final TestRuntime runtime = new TestRuntime();

    @AfterEach
    void close() {
        Thread.interrupted();
        assertThat(CallScope.current()).isNull();
        runtime.close();
    }

    @Test
    void knowsWhatItWasBegunWith() {
        long before = System.nanoTime();
        CallScope call = runtime.begin(TestRuntime.CANCELS, Duration.ofSeconds(5), null);
        long after = System.nanoTime();

        assertThat(runtime.began).containsExactly(call);
        assertThat(CallScope.current()).isSameAs(call);
        assertThat(Call.current()).isSameAs(call);
        assertThat(call.method()).isEqualTo("GET");
        assertThat(call.endpoint()).isEqualTo("GET /reports/{id}");
        assertThat(call.treatment()).isSameAs(TestRuntime.CANCELS);
        assertThat(call.caller()).isEqualTo(CallerState.PRESENT);
        assertThat(call.startedAt()).isBetween(before, after);
        assertThat(call.deadlineAt() - call.startedAt())
                .isEqualTo(Duration.ofSeconds(5).toNanos());
        assertThat(call.deadline().remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(5));
        assertThat(call.cancelReason()).isEmpty();
        assertThat(call).hasToString("GET /reports/{id}");
        call.throwIfCancelled();
        TestRuntime.end(call);
        assertThat(call).hasToString("GET /reports/{id} ended");
    }

    @Test
    @DisplayName("case 65: elapsed is monotonic and stands still once the call has ended")
    void elapsedStandsStillAtTheEnd() {
        CallScope call = runtime.begin(TestRuntime.OBSERVES);
        Duration early = call.elapsed();
        TestRuntime.end(call);
        Duration atTheEnd = call.elapsed();
        TestRuntime.spinUntil(() -> System.nanoTime() - call.endedAt() > 1_000_000);

        assertThat(atTheEnd).isGreaterThanOrEqualTo(early).isEqualTo(call.elapsed());
        assertThat(call.endedAt() - call.startedAt()).isEqualTo(atTheEnd.toNanos());
    }

    @Test
    void aSynchronousCallEndsWithTheLastOfWorkAndResponse() {
        CallScope call = runtime.begin(TestRuntime.OBSERVES);
        assertThat(call.workers()).isEqualTo(1);
        call.responseOver();
        assertThat(call.isEnded()).isFalse();
        assertThat(call.workers()).isEqualTo(1);
        call.leave();

        assertThat(call.isEnded()).isTrue();
        assertThat(call.workers()).isZero();
        assertThat(runtime.heard).containsExactly("ended COMPLETED");
    }

    @Test
    void anAsynchronousCallWaitsWithoutAWorkerAndIsTakenUpAgain() throws Exception {
        CallScope call = runtime.begin(TestRuntime.OBSERVES);
        call.leave();
        assertThat(call.isEnded()).isFalse();
        assertThat(call.workers()).isZero();
        Future<Integer> dispatch = runtime.workers.submit(() -> {
            call.attach();
            int workers = call.workers();
            call.leave();
            return workers;
        });
        assertThat(dispatch.get(5, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(call.isEnded()).isFalse();
        call.responseOver();

        assertThat(call.isEnded()).isTrue();
    }

    @Test
    @DisplayName("case 24: a container that tells the end twice, late, or in the wrong order ends one call once")
    void theEndOfTheResponseCountsOnce() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.responseOver();
        call.responseOver();
        call.leave();
        call.responseOver();

        assertThat(runtime.heard).containsExactly("ended COMPLETED");
    }

    @Test
    @DisplayName("case 24: a container that never tells the end leaves the call to its deadline")
    void theEndThatNeverComesIsLeftToTheDeadline() {
        CallScope call = runtime.begin(TestRuntime.CANCELS, Duration.ZERO, null);
        call.leave();
        call.deadlinePassed();
        assertThat(call.isCancelled()).isTrue();
        assertThat(call.isEnded()).isFalse();
        call.responseOver();

        assertThat(runtime.heard).containsExactly("unowned", "cancelled ENDPOINT_DEADLINE", "ended CANCELLED");
    }

    @Test
    void everythingIsToldOnce() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.callerGone(CancelReason.CALLER_CLOSED);
        call.callerGone(CancelReason.CALLER_RESET);
        call.cancel();
        call.deadlinePassed();
        TestRuntime.end(call);
        call.callerGone(CancelReason.CALLER_RESET);
        call.cancel(CancelReason.SHUTDOWN);

        assertThat(runtime.heard)
                .containsExactly(
                        "gone CALLER_CLOSED", "unowned", "cancelled CALLER_CLOSED", "leaves 1", "ended CANCELLED");
    }

    @Test
    void nobodyLeavesOnceTheResponseIsOver() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.responseOver();
        call.callerGone(CancelReason.CALLER_CLOSED);

        assertThat(call.isCancelled()).isFalse();
        assertThat(call.caller()).isEqualTo(CallerState.PRESENT);
        call.leave();
        assertThat(runtime.heard).containsExactly("ended COMPLETED");
    }

    @Test
    void aCallerThatCannotBeWatchedIsUnknownUntilItIsSeenLeaving() {
        CallScope call = runtime.begin(TestRuntime.OBSERVES);
        call.unwatched(Unwatched.AJP);
        call.unwatched(Unwatched.NO_SOCKET);
        assertThat(call.caller()).isEqualTo(CallerState.UNKNOWN);
        call.callerGone(CancelReason.CALLER_RESET);
        assertThat(call.caller()).isEqualTo(CallerState.GONE);
        TestRuntime.end(call);

        assertThat(runtime.heard).startsWith("unwatched AJP", "gone CALLER_RESET");
    }

    @Test
    void refiningGivesTheCallItsRoute() {
        CallScope call = runtime.begin(TestRuntime.OBSERVES);
        call.refine("GET /reports/{id}/pages", TestRuntime.CANCELS, Duration.ofSeconds(3));

        assertThat(call.endpoint()).isEqualTo("GET /reports/{id}/pages");
        assertThat(call.treatment()).isSameAs(TestRuntime.CANCELS);
        assertThat(call.deadlineAt() - call.startedAt())
                .isEqualTo(Duration.ofSeconds(3).toNanos());
        assertThat(call.isCancelled()).isFalse();
        TestRuntime.end(call);
    }

    @Test
    void refiningToCancelCancelsACallWhoseCallerHasLeft() {
        CallScope call = runtime.begin(TestRuntime.OBSERVES);
        call.callerGone(CancelReason.CALLER_RESET);
        call.refine("GET /reports/{id}", TestRuntime.CANCELS, Duration.ofSeconds(30));

        assertThat(call.cancelReason()).contains(CancelReason.CALLER_RESET);
        TestRuntime.end(call);
    }

    @Test
    void refiningTellsTheWatchThatTheDeadlineHasMoved() {
        CallScope call = runtime.begin(TestRuntime.CANCELS, Duration.ofSeconds(30), new Object());
        AtomicLong told = new AtomicLong();
        call.tryLook(request -> call.connection(new Connection() {
            @Override
            public void abort() {}

            @Override
            public void deadlineMoved() {
                told.set(call.deadlineAt() - call.startedAt());
            }
        }));
        call.refine("GET /reports/{id}", TestRuntime.CANCELS, Duration.ofMillis(20));

        assertThat(told).hasValue(Duration.ofMillis(20).toNanos());
        TestRuntime.end(call);
    }

    @Test
    void leavingACallThatThisThreadIsNotAttachedToIsAnError() {
        CallScope call = runtime.begin(TestRuntime.OBSERVES);
        call.leave();

        assertThatThrownBy(call::leave)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("GET /reports/{id}");
        call.responseOver();
        assertThat(call.isEnded()).isTrue();
    }

    @Test
    void aBeginThatFailsLeavesTheThreadWithoutACall() {
        CallRuntime full = new TestRuntime() {
            @Override
            public void began(CallScope call) {
                throw new OutOfMemoryError("the queue of arrivals");
            }
        };
        assertThatThrownBy(() ->
                        CallScope.begin(full, "GET", "GET /", TestRuntime.OBSERVES, Duration.ofSeconds(1), true, null))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(CallScope.current()).isNull();
    }

    @Test
    void guardsOutsideACallDoNothing() {
        CallScope.enterGuard();
        assertThat(CallScope.leaveGuard()).isFalse();
        CallScope.leaveGuardQuietly();
    }

    /** Timers keep a cancelled call for a while, and a virtual thread keeps what it ran. */
    @Test
    void aWorkerThatHasLeftIsNotHeld() throws Exception {
        AtomicReference<CallScope> left = new AtomicReference<>();
        WeakReference<Thread> thread = runs(() -> {
            CallScope call = runtime.begin(TestRuntime.CANCELS, Duration.ofSeconds(30), "the request");
            call.cancel();
            TestRuntime.end(call);
            left.set(call);
        });
        await().until(() -> {
            System.gc();
            return thread.get() == null;
        });
        assertThat(left.get()).isNotNull().matches(CallScope::isEnded);
    }

    private static WeakReference<Thread> runs(Runnable work) throws InterruptedException {
        Thread thread = new Thread(work);
        thread.start();
        thread.join();
        return new WeakReference<>(thread);
    }
}
