package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a cancel does after it has returned, rung by rung, with the real clocks of {@link TestRuntime}. */
final class LadderTest {
    private final TestRuntime runtime = new TestRuntime();
    private final PeerTest.Wire wire = new PeerTest.Wire();
    private final PeerTest.Answer answer = new PeerTest.Answer();

    @AfterEach
    void close() {
        Thread.interrupted();
        runtime.close();
    }

    @Test
    void interruptsAgainWhenTheWorkSwallowedTheFirst() {
        CallScope call = runtime.begin(TestRuntime.ESCALATES);
        long began = System.nanoTime();
        call.cancel();
        TestRuntime.awaitInterrupt();
        Thread.interrupted();
        TestRuntime.awaitInterrupt();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(TestRuntime.SOON);
        TestRuntime.end(call);
    }

    @Test
    void neverInterruptsWhereTheTreatmentOrAMissingGuardForbidsIt() {
        CallScope gentle = runtime.begin(TestRuntime.ESCALATES_WITHOUT_INTERRUPTS);
        CallScope unguarded =
                CallScope.begin(runtime, "GET", "GET /", TestRuntime.ESCALATES, Duration.ofSeconds(30), false, null);
        for (CallScope call : new CallScope[] {unguarded, gentle}) {
            call.cancel();
            await().atMost(Duration.ofSeconds(5))
                    .until(() -> runtime.heard.stream().anyMatch(heard -> heard.startsWith("stuck")));
            runtime.heard.clear();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            TestRuntime.end(call);
        }
    }

    @Test
    void reportsOnceWhatIsStuckAndWhere() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Future<?> stuck = runtime.serve(TestRuntime.ESCALATES, () -> {
            while (release.getCount() > 0) {
                LockSupport.parkNanos(1_000_000); // deaf to interrupts
            }
            return null;
        });
        await().atMost(Duration.ofSeconds(5)).until(() -> !runtime.began.isEmpty());
        runtime.began.get(0).cancel();
        await().atMost(Duration.ofSeconds(5))
                .until(() -> runtime.heard.stream().anyMatch(heard -> heard.startsWith("stuck in ")));
        release.countDown();
        stuck.get(5, TimeUnit.SECONDS);

        assertThat(runtime.heard.stream().filter(heard -> heard.startsWith("stuck")))
                .hasSize(1);
        assertThat(runtime.heard).endsWith("leaves 1", "ended CANCELLED");
    }

    @Test
    void doesNotReportWhatHasEndedOrWaitsWithoutAWorker() {
        CallScope waiting = runtime.begin(TestRuntime.ESCALATES);
        waiting.leave();
        waiting.cancel();
        CallScope ended = runtime.begin(TestRuntime.ESCALATES);
        ended.cancel();
        TestRuntime.end(ended);
        long until = System.nanoTime() + TestRuntime.LATER.plusMillis(200).toNanos();
        TestRuntime.spinUntil(() -> System.nanoTime() - until > 0);
        runtime.awaitIdleCancellers();

        assertThat(runtime.heard).noneMatch(heard -> heard.startsWith("stuck"));
        waiting.responseOver();
    }

    @Test
    void breaksTheConnectionOfAWorkerInAWriteAtOnce() {
        CallScope call = guarded();
        answer.inWrite = true;
        call.callerGone(CancelReason.CALLER_CLOSED);
        TestRuntime.awaitCancelled(call);

        assertThat(wire.aborted).hasValue(1);
        TestRuntime.end(call);
    }

    /** All but the interrupts: also where nothing is interrupted does a blocked write end. */
    @Test
    void breaksTheConnectionOfABlockedWriteThoughNothingIsInterrupted() {
        CallScope call = runtime.begin(TestRuntime.NEVER_INTERRUPTS, Duration.ofSeconds(30), "the request");
        call.response(answer);
        call.tryLook(peer -> call.connection(wire));
        answer.inWrite = true;
        call.cancel(CancelReason.ENDPOINT_DEADLINE);
        TestRuntime.awaitCancelled(call);

        assertThat(wire.aborted).hasValue(1);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        TestRuntime.end(call);
    }

    @Test
    void breaksTheConnectionOfStuckWorkAfterADeadlineOnly() {
        answer.holdsCaller = true;
        CallScope left = guarded();
        left.callerGone(CancelReason.CALLER_CLOSED);
        awaitEscalation(left);
        runtime.awaitIdleCancellers();
        TestRuntime.end(left);
        assertThat(wire.aborted).hasValue(0);

        CallScope late = guarded();
        late.cancel(CancelReason.ENDPOINT_DEADLINE);
        TestRuntime.awaitCancelled(late);
        assertThat(wire.aborted).as("it may still answer").hasValue(0);
        awaitEscalation(late);
        TestRuntime.spinUntil(() -> wire.aborted.get() == 1);
        TestRuntime.end(late);
    }

    @Test
    void interruptsThoughTheConnectionCannotBeBroken() {
        CapturedLog log = new CapturedLog();
        CallScope call = runtime.begin(TestRuntime.ESCALATES, Duration.ofSeconds(30), "the request");
        answer.inWrite = true;
        call.response(answer);
        call.tryLook(peer -> call.connection(() -> {
            throw new IllegalStateException("cannot abort");
        }));
        call.cancel();
        TestRuntime.awaitInterrupt();

        TestRuntime.end(call);
        log.close();
        assertThat(log.lines()).contains("WARNING a step of a call's end failed: abort: cannot abort");
    }

    @Test
    void aHooksInterruptDoesNotMeetTheAnswer() {
        boolean[] interrupted = {true};
        CallScope call = runtime.begin(TestRuntime.ESCALATES_WITHOUT_INTERRUPTS, Duration.ofSeconds(30), "the request");
        call.response(new CallResponse() {
            @Override
            public boolean isAnswered() {
                return false;
            }

            @Override
            public boolean inWrite() {
                return false;
            }

            @Override
            public boolean holdsCaller() {
                return false;
            }

            @Override
            public Runnable completion(CancelReason reason, @org.jspecify.annotations.Nullable Connection known) {
                return () -> interrupted[0] = Thread.currentThread().isInterrupted();
            }
        });
        call.onCancel(reason -> Thread.currentThread().interrupt());
        call.cancel();
        TestRuntime.awaitCancelled(call);

        assertThat(interrupted[0]).isFalse();
        TestRuntime.end(call);
    }

    private CallScope guarded() {
        CallScope call = runtime.begin(TestRuntime.ESCALATES, Duration.ofSeconds(30), "the request");
        call.response(answer);
        call.tryLook(peer -> call.connection(wire));
        return call;
    }

    /** The second interrupt is the escalation's. */
    private static void awaitEscalation(CallScope call) {
        TestRuntime.awaitCancelled(call);
        Thread.interrupted();
        TestRuntime.awaitInterrupt();
        Thread.interrupted();
    }
}
