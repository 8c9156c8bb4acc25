package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Request, response and connection: touched while the response is not over, and never after. */
final class PeerTest {
    private final TestRuntime runtime = new TestRuntime();
    private final Wire wire = new Wire();
    private CallScope call;

    @BeforeEach
    void begin() {
        call = runtime.begin(TestRuntime.NEVER_INTERRUPTS, Duration.ofSeconds(30), "the request");
    }

    @AfterEach
    void close() {
        if (CallScope.current() == call) {
            call.leave();
        }
        call.responseOver();
        runtime.close();
    }

    @Test
    void aLookSeesThePeerUntilTheResponseIsOver() {
        AtomicInteger looks = new AtomicInteger();
        assertThat(call.tryLook(peer -> {
                    assertThat(peer).isEqualTo("the request");
                    looks.incrementAndGet();
                }))
                .isTrue();
        call.responseOver();

        assertThat(call.tryLook(peer -> looks.incrementAndGet())).isFalse();
        assertThat(call.isResponseOver()).isTrue();
        assertThat(looks).hasValue(1);
    }

    @Test
    void aLookThatThrowsGivesTheLockBack() {
        assertThatThrownBy(() -> call.tryLook(peer -> {
                    throw new IllegalStateException("broken look");
                }))
                .hasMessage("broken look");

        assertThat(call.tryLook(peer -> {})).isTrue();
    }

    @Test
    void anotherThreadsLookIsNotWaitedForAndTheEndOfTheResponseWaits() throws Exception {
        CountDownLatch looking = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        AtomicBoolean over = new AtomicBoolean();
        Future<?> look = runtime.workers.submit(() -> call.tryLook(peer -> {
            looking.countDown();
            await(finish);
            assertThat(over).as("the response ended under a look").isFalse();
        }));
        await(looking);
        assertThat(call.tryLook(peer -> {})).as("somebody else looks").isFalse();
        assertThat(call.isResponseOver()).isFalse();
        Future<?> end = runtime.workers.submit(() -> {
            call.responseOver();
            over.set(true);
        });
        assertThat(end).isNotDone();
        finish.countDown();
        look.get(5, TimeUnit.SECONDS);
        end.get(5, TimeUnit.SECONDS);

        assertThat(over).isTrue();
    }

    @Test
    void theResponseMayEndInsideALookOfTheSameThread() throws Exception {
        within5Seconds(() -> {
            CallScope own = runtime.begin(TestRuntime.CANCELS, Duration.ofSeconds(30), "the request");
            own.leave();
            assertThat(own.tryLook(peer -> own.responseOver())).isTrue();
            assertThat(own.isEnded()).isTrue();
            assertThat(own.tryLook(peer -> {})).isFalse();
        });
    }

    @Test
    void aLookWithinALookIsRefused() throws Exception {
        within5Seconds(() -> {
            CallScope own = runtime.begin(TestRuntime.CANCELS, Duration.ofSeconds(30), "the request");
            own.tryLook(peer -> assertThatThrownBy(own::abort).isInstanceOf(IllegalStateException.class));
            assertThat(own.tryLook(peer -> {})).isTrue();
            TestRuntime.end(own);
        });
    }

    @Test
    void theConnectionIsLetGoOfOnceAndBeforeTheCallEnds() {
        call.tryLook(peer -> call.connection(wire));
        call.leave();
        call.responseOver();
        call.responseOver();

        assertThat(wire.over).hasValue(1);
        assertThat(call.abort()).isFalse();
        assertThat(wire.aborted).hasValue(0);
    }

    @Test
    void aConnectionThatFailsToLetGoDoesNotKeepTheCallFromEnding() {
        CapturedLog log = new CapturedLog();
        call.tryLook(peer -> call.connection(new Wire() {
            @Override
            public void over() {
                throw new IllegalStateException("cannot let go");
            }
        }));
        TestRuntime.end(call);
        log.close();

        assertThat(call.isEnded()).isTrue();
        assertThat(runtime.heard).containsExactly("ended COMPLETED");
        assertThat(log.lines())
                .containsExactly("WARNING a step of a call's end failed: letting go of the connection: cannot let go");
    }

    @Test
    void abortBreaksTheConnectionThatAWatchKnows() {
        assertThat(call.abort()).as("none known").isFalse();
        call.tryLook(peer -> call.connection(wire));

        assertThat(call.abort()).isTrue();
        assertThat(wire.aborted).hasValue(1);
    }

    @Test
    void aCancelCompletesTheResponseOnACanceller() {
        Answer answer = new Answer();
        call.response(answer);
        call.tryLook(peer -> call.connection(wire));
        call.cancel(CancelReason.ENDPOINT_DEADLINE);
        TestRuntime.awaitCancelled(call);

        assertThat(answer.completed).isEqualTo("ENDPOINT_DEADLINE on test-canceller");
        assertThat(answer.with).isSameAs(wire);
    }

    /** The container takes locks of its own there, whose holders may wait for ours. */
    @Test
    void theResponseIsCompletedOutsideTheLock() {
        Answer answer = new Answer();
        answer.completing = () -> assertThat(call.tryLook(peer -> {})).isTrue();
        call.response(answer);
        call.cancel();
        TestRuntime.awaitCancelled(call);

        assertThat(answer.completed).isNotNull();
    }

    @Test
    void aResponseThatIsOverIsNotCompleted() {
        Answer answer = new Answer();
        call.response(answer);
        call.responseOver();
        call.cancel();
        TestRuntime.awaitCancelled(call);
        call.completeIfCancelled();

        assertThat(answer.completed).isNull();
    }

    @Test
    void aResponseThatBecomesAsynchronousAfterTheCancelIsCompletedThen() {
        Answer answer = new Answer();
        call.completeIfCancelled();
        call.cancel();
        TestRuntime.awaitCancelled(call);
        call.response(answer);
        call.completeIfCancelled();

        assertThat(answer.completed)
                .isEqualTo("MANUAL on " + Thread.currentThread().getName());
    }

    /** On a thread of its own: a lock that is not given back would be spun on for ever, deaf to interrupts. */
    private static void within5Seconds(Runnable test) throws Exception {
        FutureTask<?> task = new FutureTask<>(test, null);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        task.get(5, TimeUnit.SECONDS);
    }

    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static class Wire implements Connection {
        final AtomicInteger aborted = new AtomicInteger();
        final AtomicInteger over = new AtomicInteger();

        @Override
        public void abort() {
            aborted.incrementAndGet();
        }

        @Override
        public void over() {
            over.incrementAndGet();
        }
    }

    /** An answer whose worker may be made to look as if it stood in a write. */
    static final class Answer implements CallResponse {
        volatile boolean answered;

        @Override
        public boolean isAnswered() {
            return answered;
        }

        volatile boolean inWrite;
        volatile boolean holdsCaller;
        volatile Runnable completing = () -> {};
        volatile @Nullable String completed;
        volatile @Nullable Connection with;

        @Override
        public boolean inWrite() {
            return inWrite;
        }

        @Override
        public boolean holdsCaller() {
            return holdsCaller;
        }

        @Override
        public @Nullable Runnable completion(CancelReason reason, @Nullable Connection connection) {
            with = connection;
            return () -> {
                completing.run();
                completed = reason + " on " + Thread.currentThread().getName();
            };
        }
    }
}
