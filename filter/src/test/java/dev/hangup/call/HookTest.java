package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class HookTest {
    private final TestRuntime runtime = new TestRuntime();
    private final List<String> ran = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        Thread.interrupted();
        runtime.close();
    }

    @Test
    void aCancelRunsItsHooksOnceOnACanceller() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.onCancel(reason -> ran.add(reason + " on " + Thread.currentThread().getName()));
        call.cancel(CancelReason.CALLER_RESET);
        call.cancel(CancelReason.MANUAL);

        TestRuntime.awaitCancelled(call);
        assertThat(ran).containsExactly("CALLER_RESET on test-canceller");
        TestRuntime.end(call);
    }

    @Test
    void aDepartureRunsItsHooksInEveryMode() {
        for (Treatment treatment : List.of(TestRuntime.CANCELS, TestRuntime.OBSERVES, TestRuntime.NEVER_INTERRUPTS)) {
            CallScope call = runtime.begin(treatment);
            call.onCallerGone(
                    reason -> ran.add(reason + " on " + Thread.currentThread().getName()));
            call.callerGone(CancelReason.CALLER_CLOSED);
            call.callerGone(CancelReason.CALLER_RESET);

            await().atMost(Duration.ofSeconds(5)).until(() -> !ran.isEmpty());
            TestRuntime.end(call);
            assertThat(ran).containsExactly("CALLER_CLOSED on test-canceller");
            ran.clear();
        }
    }

    @Test
    void aDepartureWithoutACancelRunsNoCancelHook() {
        CallScope call = runtime.begin(TestRuntime.OBSERVES);
        call.onCancel(reason -> ran.add("cancel"));
        call.onCallerGone(reason -> ran.add("gone"));
        call.callerGone(CancelReason.CALLER_CLOSED);

        await().atMost(Duration.ofSeconds(5)).until(() -> !ran.isEmpty());
        TestRuntime.end(call);
        assertThat(ran).containsExactly("gone");
    }

    @Test
    void aHookThatComesTooLateRunsAtOnceOnItsOwnThread() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.callerGone(CancelReason.STREAM_RESET);
        TestRuntime.awaitCancelled(call);
        call.onCancel(reason ->
                ran.add("cancel " + reason + " on " + Thread.currentThread().getName()));
        call.onCallerGone(reason -> ran.add("gone " + reason));
        TestRuntime.end(call);

        assertThat(ran)
                .containsExactly(
                        "cancel STREAM_RESET on " + Thread.currentThread().getName(), "gone STREAM_RESET");
    }

    @Test
    void aLateHookIsNotInterruptedAndTheInterruptWaits() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.cancel();
        TestRuntime.awaitCancelled(call);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        call.onCancel(reason -> ran.add("interrupted " + Thread.currentThread().isInterrupted()));

        assertThat(ran).containsExactly("interrupted false");
        assertThat(Thread.currentThread().isInterrupted()).as("raised again").isTrue();
        TestRuntime.end(call);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void whatAHookThrowsIsLoggedWhereverItRuns() {
        CapturedLog log = new CapturedLog();
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.onCancel(reason -> {
            throw new IllegalStateException("on a canceller");
        });
        call.onCancel(reason -> ran.add("second"));
        call.cancel();
        TestRuntime.awaitCancelled(call);
        call.onCancel(reason -> {
            throw new AssertionError("on the worker");
        });
        TestRuntime.end(call);
        log.close();

        assertThat(ran).containsExactly("second");
        assertThat(log.lines())
                .containsExactly(
                        "WARNING a step of a call's end failed: hook: on a canceller",
                        "WARNING a step of a call's end failed: hook: on the worker");
    }

    @Test
    void aWithdrawnHookDoesNotRun() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        Call.Registration withdrawn = call.onCancel(reason -> ran.add("withdrawn"));
        call.onCancel(reason -> ran.add("kept"));
        withdrawn.close();
        withdrawn.close();
        call.cancel();

        TestRuntime.awaitCancelled(call);
        assertThat(ran).containsExactly("kept");
        TestRuntime.end(call);
    }

    @Test
    void noHookRunsAfterTheEnd() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.onCancel(reason -> ran.add("early"));
        call.onCallerGone(reason -> ran.add("early"));
        TestRuntime.end(call);
        call.callerGone(CancelReason.CALLER_CLOSED);
        call.cancel();
        call.onCancel(reason -> ran.add("late"));
        call.onCallerGone(reason -> ran.add("late"));

        runtime.awaitIdleCancellers();
        assertThat(ran).isEmpty();
    }

    @Test
    void hooksRunBeforeTheInterrupt() {
        AtomicBoolean interrupted = new AtomicBoolean(true);
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        Thread worker = Thread.currentThread();
        call.onCancel(reason -> interrupted.set(worker.isInterrupted()));
        call.cancel();
        TestRuntime.awaitCancelled(call);

        assertThat(interrupted).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        TestRuntime.end(call);
    }
}
