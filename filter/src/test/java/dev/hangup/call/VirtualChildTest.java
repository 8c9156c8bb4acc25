package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tasks that carry a call to virtual threads, one thread each. */
final class VirtualChildTest {
    private final TestRuntime runtime = new TestRuntime();
    private final Executor virtual = VirtualThreads::start;
    private final CountDownLatch running = new CountDownLatch(1);
    private CallScope call;

    @BeforeEach
    void begin() {
        assumeTrue(VirtualThreads.SUPPORTED, "no virtual threads on this JDK");
        call = runtime.begin(TestRuntime.CANCELS);
        call.leave();
    }

    @AfterEach
    void close() {
        if (call != null) {
            call.responseOver();
        }
        runtime.close();
    }

    @Test
    void isInterruptedWithItsCall() throws Exception {
        CompletableFuture<CancelReason> interrupted = new CompletableFuture<>();
        call.executor(virtual).execute(() -> {
            running.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.complete(Call.current().cancelReason().orElseThrow());
            }
        });
        assertThat(running.await(5, TimeUnit.SECONDS)).isTrue();
        call.cancel();

        assertThat(interrupted.get(5, TimeUnit.SECONDS)).isEqualTo(CancelReason.MANUAL);
    }

    @Test
    void neverStartsOnceItIsCancelled() {
        CompletableFuture<Boolean> started = new CompletableFuture<>();
        CompletableFuture<Boolean> passed = new CompletableFuture<>();
        call.cancel();
        Runnable late = call.wrap((Runnable) () -> started.complete(true));
        virtual.execute(() -> {
            late.run();
            passed.complete(CallScope.current() == null);
        });

        assertThat(passed).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
        assertThat(started).isNotDone();
    }

    @Test
    void isNotInterruptedInsideAShield() throws Exception {
        CompletableFuture<Boolean> inside = new CompletableFuture<>();
        CompletableFuture<Boolean> raised = new CompletableFuture<>();
        call.executor(virtual).execute(() -> {
            try {
                Call.current().shield(() -> {
                    running.countDown();
                    TestRuntime.awaitCancelled(call);
                    return inside.complete(Thread.currentThread().isInterrupted());
                });
            } catch (CallCancelledException e) {
                raised.complete(true);
            } catch (Exception e) {
                raised.completeExceptionally(e);
            }
        });
        assertThat(running.await(5, TimeUnit.SECONDS)).isTrue();
        call.cancel();

        assertThat(raised.get(5, TimeUnit.SECONDS)).isTrue();
        assertThat(inside.get(5, TimeUnit.SECONDS)).isFalse();
    }
}
