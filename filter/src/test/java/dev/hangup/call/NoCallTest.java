package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

/** Outside a request the same code runs as it stands. */
final class NoCallTest {
    private final Call call = Call.current();

    @Test
    void isNeverCancelledAndHasNoDeadline() {
        assertThat(call.cancel()).isFalse();
        assertThat(call.isCancelled()).isFalse();
        assertThat(call.cancelReason()).isEmpty();
        assertThat(call.deadline()).isSameAs(Deadline.NONE);
        assertThat(call.elapsed()).isEqualTo(Duration.ZERO);
        assertThat(call.caller()).isEqualTo(CallerState.UNKNOWN);
        assertThat(call.endpoint()).isEqualTo(CallScope.UNMATCHED);
        call.throwIfCancelled();
        call.detach();
    }

    @Test
    void runsNoHooksAndHandsTasksBack() throws Exception {
        call.onCancel(reason -> {
            throw new AssertionError("cancelled: " + reason);
        });
        call.onCallerGone(reason -> {
                    throw new AssertionError("gone: " + reason);
                })
                .close();
        Runnable task = () -> {};
        Callable<String> question = () -> "answer";
        ExecutorService pool = ForkJoinPool.commonPool();

        assertThat(call.wrap(task)).isSameAs(task);
        assertThat(call.wrap(question)).isSameAs(question);
        assertThat(call.executor((Executor) pool)).isSameAs(pool);
        assertThat(call.executor(pool)).isSameAs(pool);
        assertThat(call.shield(question)).isEqualTo("answer");
    }
}
