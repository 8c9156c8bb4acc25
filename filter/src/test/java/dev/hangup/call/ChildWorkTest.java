package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that carry a call to the threads of the application's own executors. */
@Timeout(60)
final class ChildWorkTest {
    private final TestRuntime runtime = new TestRuntime();
    private final ExecutorService one = Executors.newSingleThreadExecutor();
    private final CountDownLatch running = new CountDownLatch(1);
    private CallScope call;

    /** The call is asynchronous: this thread waits for its children and must not be interrupted with them. */
    @BeforeEach
    void begin() {
        call = runtime.begin(TestRuntime.CANCELS);
        call.leave();
    }

    @AfterEach
    void close() {
        call.responseOver();
        one.shutdownNow();
        runtime.close();
    }

    @Test
    @DisplayName("case 10: on cancel the thread that works is interrupted, not just the future completed")
    void aChildIsInterruptedWithItsCall() {
        AtomicBoolean interrupted = new AtomicBoolean();
        Future<?> child = call.executor(one).submit(() -> {
            running.countDown();
            try {
                Thread.sleep(20_000); // the work, which only an interrupt ends
            } catch (InterruptedException e) {
                interrupted.set(true);
                throw e;
            }
            return null;
        });
        await(running);
        call.cancel();

        assertThat(child)
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(InterruptedException.class);
        assertThat(interrupted).isTrue();
        assertThat(one.submit(() -> Thread.currentThread().isInterrupted()))
                .as("the pool thread's next task")
                .succeedsWithin(Duration.ofSeconds(5))
                .isEqualTo(false);
    }

    @Test
    @DisplayName("case 11: a child sees the cancel, and a queued one never starts")
    void aQueuedChildNeverStarts() {
        AtomicInteger started = new AtomicInteger();
        ExecutorService carrying = call.executor(one);
        Future<Boolean> first = carrying.submit(() -> {
            running.countDown();
            TestRuntime.awaitInterrupt();
            return Call.current().isCancelled();
        });
        Future<Integer> submitted = carrying.submit(started::incrementAndGet);
        Future<?> runnable = carrying.submit((Runnable) started::incrementAndGet);
        FutureTask<Integer> executed = new FutureTask<>(started::incrementAndGet);
        carrying.execute(executed);
        carrying.execute(started::incrementAndGet);
        one.execute(call.wrap((Runnable) started::incrementAndGet));
        await(running);
        call.cancel();

        assertThat(first).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
        assertCancelled(submitted);
        assertCancelled(runnable);
        assertThat(executed).failsWithin(Duration.ofSeconds(5));
        assertThat(executed.isCancelled()).as("nobody waits for it for ever").isTrue();
        drain();
        assertThat(started).hasValue(0);
    }

    @Test
    void invokedTasksCarryTheCall() throws Exception {
        Callable<CallScope> task = () -> CallScope.current();
        ExecutorService carrying = call.executor(one);
        for (Future<CallScope> seen : carrying.invokeAll(List.of(task, task))) {
            assertThat(seen.get()).isSameAs(call);
        }
        assertThat(carrying.invokeAll(List.of(task), 5, TimeUnit.SECONDS).get(0).get())
                .isSameAs(call);
        assertThat(carrying.invokeAny(List.of(task))).isSameAs(call);
        assertThat(carrying.invokeAny(List.of(task), 5, TimeUnit.SECONDS)).isSameAs(call);
        assertThat(carrying.submit(() -> {}, "result").get()).isEqualTo("result");
    }

    @Test
    void theLifeOfAnExecutorServiceIsItsDelegates() throws Exception {
        ExecutorService carrying = call.executor(one);
        assertThat(carrying.isShutdown()).isFalse();
        carrying.shutdown();
        assertThat(carrying.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
        assertThat(one.isShutdown()).isTrue();
        assertThat(carrying.isTerminated()).isTrue();
        assertThat(carrying.shutdownNow()).isEmpty();
    }

    @Test
    void aNullTaskIsRefusedWhereItIsHandedIn() {
        assertThatThrownBy(() -> call.wrap(nothing())).isInstanceOf(NullPointerException.class);
    }

    @Test
    void aChildHoldsItsCall() throws Exception {
        CountDownLatch finish = new CountDownLatch(1);
        Future<?> child = call.executor(one).submit(() -> {
            running.countDown();
            return finish.await(10, TimeUnit.SECONDS);
        });
        await(running);
        assertThat(call.workers()).isEqualTo(1);
        call.responseOver();
        assertThat(call.isEnded()).isFalse();
        assertThat(call.isResponseOver()).isTrue();
        assertThat(call.workers()).isEqualTo(1);
        finish.countDown();
        child.get(5, TimeUnit.SECONDS);
        drain();

        assertThat(call.isEnded()).isTrue();
        assertThat(call.workers()).isZero();
        assertThat(runtime.heard).containsExactly("ended COMPLETED");
    }

    @Test
    @DisplayName("case 75: a task that outlives its call sees its own call, ended, and never another's")
    void aTaskThatOutlivesItsCallSeesItsOwnEnded() throws Exception {
        Runnable nothing = call.wrap(() -> {});
        Callable<CallScope> late = call.wrap(() -> CallScope.current());
        call.responseOver();
        CallScope next = runtime.begin(TestRuntime.CANCELS);
        try {
            assertThat(late.call()).isSameAs(call);
            nothing.run();
            assertThat(CallScope.current()).isSameAs(next);
        } finally {
            TestRuntime.end(next);
        }
        CallScope seen = one.submit(late).get(5, TimeUnit.SECONDS);

        assertThat(seen).isSameAs(call);
        assertThat(call.isEnded()).isTrue();
        assertThat(one.submit(CallScope::current).get())
                .as("the pool thread afterwards")
                .isNull();
        assertThat(runtime.heard).as("no worker of an ended call comes or goes").containsOnly("ended COMPLETED");
    }

    @Test
    void aTaskThatOutlivesACancelledCallNeverStarts() {
        AtomicInteger started = new AtomicInteger();
        Runnable late = call.wrap((Runnable) started::incrementAndGet);
        call.cancel();
        call.responseOver();
        late.run();

        assertThat(started).hasValue(0);
        assertThat(runtime.heard).containsOnlyOnce("ended CANCELLED");
    }

    @Test
    void aTaskThatTheCallerRunsNestsInItsOwnCall() throws Exception {
        ThreadPoolExecutor callerRuns = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>(), new ThreadPoolExecutor.CallerRunsPolicy());
        CountDownLatch finish = new CountDownLatch(1);
        try {
            callerRuns.execute(() -> await(finish));
            AtomicInteger workers = new AtomicInteger();
            call.attach();
            call.executor((Executor) callerRuns).execute(() -> workers.set(call.workers()));

            assertThat(workers).as("one thread is one worker").hasValue(1);
            assertThat(CallScope.current()).isSameAs(call);
            call.leave();
        } finally {
            finish.countDown();
            callerRuns.shutdown();
        }
    }

    @Test
    @DisplayName("case 12: a fork-join child sees the cancel without an interrupt")
    void aForkJoinChildGetsTheFlagOnly() {
        ForkJoinPool pool = new ForkJoinPool(1);
        try {
            Future<Boolean> child = call.executor((ExecutorService) pool).submit(() -> {
                running.countDown();
                TestRuntime.awaitCancelled(call);
                return Call.current().isCancelled() && !Thread.currentThread().isInterrupted();
            });
            await(running);
            call.cancel();
            assertThat(child).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(true);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    @DisplayName("case 12: a parallel stream sees the cancel only through a call that was captured")
    void aParallelStreamNeedsTheCallCaptured() throws Exception {
        call.cancel();
        Call captured = call;
        ForkJoinPool pool = new ForkJoinPool(2);
        try {
            boolean seen = pool.submit(() -> IntStream.range(0, 64)
                            .parallel()
                            .allMatch(i ->
                                    captured.isCancelled() && !Call.current().isCancelled()))
                    .get(5, TimeUnit.SECONDS);
            assertThat(seen).isTrue();
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void aCompletableFutureIsCompletedThoughItsTaskCameTooLate() {
        CompletableFuture<Void> first = CompletableFuture.runAsync(
                () -> {
                    running.countDown();
                    TestRuntime.awaitInterrupt();
                },
                call.executor((Executor) one));
        CompletableFuture<Boolean> queued = CompletableFuture.supplyAsync(
                () -> Thread.currentThread().isInterrupted() && Call.current().isCancelled(),
                call.executor((Executor) one));
        await(running);
        call.cancel();

        assertThat(first).succeedsWithin(Duration.ofSeconds(5));
        assertThat(queued).as("join would wait for ever").succeedsWithin(Duration.ofSeconds(5));
        assertThat(queued.join())
                .as("interrupted from its first instruction on")
                .isTrue();
    }

    private static void assertCancelled(Future<?> future) {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> future.get(5, TimeUnit.SECONDS))
                .withCauseInstanceOf(CallCancelledException.class);
    }

    /** The pool's thread has finished what it was given before, and left the call. */
    private void drain() {
        assertThat(one.submit(() -> true)).succeedsWithin(Duration.ofSeconds(5));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("NullAway") // what it is about
    private static Runnable nothing() {
        return null;
    }
}
