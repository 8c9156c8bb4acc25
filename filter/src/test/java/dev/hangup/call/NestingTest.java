package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One thread, several calls: a forward, a task that the caller of an executor runs itself, a test's servlet inside a servlet. */
final class NestingTest {
    private final TestRuntime runtime = new TestRuntime();

    @AfterEach
    void close() {
        Thread.interrupted();
        assertThat(CallScope.current()).isNull();
        runtime.close();
    }

    @Test
    void theInnermostCallIsCurrent() {
        CallScope outer = runtime.begin(TestRuntime.CANCELS);
        CallScope inner = runtime.begin(TestRuntime.CANCELS);
        assertThat(CallScope.current()).isSameAs(inner);
        outer.attach();
        assertThat(CallScope.current()).isSameAs(outer);
        outer.leave();
        assertThat(CallScope.current()).isSameAs(inner);
        TestRuntime.end(inner);
        assertThat(CallScope.current()).isSameAs(outer);
        TestRuntime.end(outer);
    }

    @Test
    void attachingTwiceToTheSameCallNests() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.attach();
        assertThat(call.workers()).isEqualTo(1);
        call.leave();
        assertThat(CallScope.current()).isSameAs(call);
        TestRuntime.end(call);
        assertThat(runtime.heard).containsExactly("ended COMPLETED");
    }

    @Test
    void theOuterCallsInterruptWaitsUntilTheInnerCallIsOver() {
        CallScope outer = runtime.begin(TestRuntime.CANCELS);
        CallScope inner = runtime.begin(TestRuntime.CANCELS);
        outer.cancel();
        TestRuntime.awaitCancelled(outer);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(inner.isCancelled()).isFalse();
        TestRuntime.end(inner);

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        TestRuntime.end(outer);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void theOuterCallsInterruptThatCameFirstDoesNotHitTheInnerCall() {
        CallScope outer = runtime.begin(TestRuntime.CANCELS);
        outer.cancel();
        TestRuntime.awaitInterrupt();
        CallScope inner = runtime.begin(TestRuntime.CANCELS);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        TestRuntime.end(inner);

        assertThat(Thread.interrupted()).isTrue();
        TestRuntime.end(outer);
    }

    @Test
    void theInnerCallsInterruptDoesNotReachTheOuterCall() {
        CallScope outer = runtime.begin(TestRuntime.CANCELS);
        CallScope inner = runtime.begin(TestRuntime.CANCELS);
        inner.cancel();
        TestRuntime.awaitInterrupt();
        TestRuntime.end(inner);

        assertThat(Thread.interrupted()).isFalse();
        TestRuntime.end(outer);
        assertThat(runtime.heard).endsWith("ended CANCELLED", "ended COMPLETED");
    }

    @Test
    void anInnerCallInsideAGuardDoesNotOpenIt() {
        CallScope outer = runtime.begin(TestRuntime.CANCELS);
        CallScope.enterGuard();
        TestRuntime.end(runtime.begin(TestRuntime.CANCELS));
        outer.cancel();
        TestRuntime.awaitCancelled(outer);

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(CallScope.leaveGuard()).isTrue();
        TestRuntime.end(outer);
    }

    @Test
    void attachingToACancelledCallInterruptsAtOnce() throws Exception {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.leave();
        call.cancel();
        TestRuntime.awaitCancelled(call);
        Future<Boolean> dispatch = runtime.workers.submit(() -> {
            call.attach();
            try {
                return Thread.currentThread().isInterrupted();
            } finally {
                call.leave();
            }
        });
        assertThat(dispatch.get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(runtime.workers.submit(() -> Thread.currentThread().isInterrupted()))
                .succeedsWithin(Duration.ofSeconds(5))
                .isEqualTo(false);
        call.responseOver();
    }
}
