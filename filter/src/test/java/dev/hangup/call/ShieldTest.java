package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("case 35: no interrupt inside a shield; a cancel that waits is raised on leaving")
final class ShieldTest {
    private final TestRuntime runtime = new TestRuntime();
    private final CountDownLatch inside = new CountDownLatch(1);

    @AfterEach
    void close() {
        runtime.close();
    }

    @Test
    void theSectionEndsUndisturbedAndThenTheCancelIsRaised() {
        AtomicInteger result = new AtomicInteger();
        Future<?> answer =
                runtime.serve(TestRuntime.ESCALATES, () -> Call.current().shield(() -> {
                    sleepThroughItsCancel();
                    result.set(42);
                    return 42;
                }));
        cancel();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> answer.get(5, TimeUnit.SECONDS))
                .withCauseInstanceOf(CallCancelledException.class);
        assertThat(result).hasValue(42);
        assertPoolThreadsAreClean();
    }

    @Test
    void withoutACancelTheResultIsReturned() throws Exception {
        Future<String> answer =
                runtime.serve(TestRuntime.ESCALATES, () -> Call.current().shield(() -> "found"));

        assertThat(answer.get(5, TimeUnit.SECONDS)).isEqualTo("found");
    }

    @Test
    void aCancelThatCameBeforeDoesNotInterruptTheSection() throws Exception {
        Future<Boolean> interrupted = runtime.serve(TestRuntime.ESCALATES, () -> {
            Call call = Call.current();
            call.cancel();
            TestRuntime.awaitInterrupt();
            boolean[] flag = {true};
            assertThatThrownBy(() ->
                            call.shield(() -> flag[0] = Thread.currentThread().isInterrupted()))
                    .isInstanceOf(CallCancelledException.class);
            return flag[0];
        });

        assertThat(interrupted.get(10, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void onlyTheOutermostOfNestedShieldsRaises() {
        AtomicInteger afterInner = new AtomicInteger();
        Future<?> answer = runtime.serve(TestRuntime.ESCALATES, () -> {
            Call call = Call.current();
            return call.shield(() -> {
                call.shield(() -> {
                    sleepThroughItsCancel();
                    return "";
                });
                afterInner.incrementAndGet();
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                return "";
            });
        });
        cancel();

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> answer.get(5, TimeUnit.SECONDS))
                .withCauseInstanceOf(CallCancelledException.class);
        assertThat(afterInner).hasValue(1);
    }

    @Test
    void theSectionsOwnExceptionIsThrownAndTheCancelRaisedAsAnInterrupt() throws Exception {
        Future<Boolean> interrupted = runtime.serve(TestRuntime.ESCALATES, () -> {
            Call call = Call.current();
            assertThatThrownBy(() -> call.shield(() -> {
                        sleepThroughItsCancel();
                        throw new IOException("disk full");
                    }))
                    .isInstanceOf(IOException.class)
                    .hasMessage("disk full");
            return Thread.currentThread().isInterrupted();
        });
        cancel();

        assertThat(interrupted.get(5, TimeUnit.SECONDS)).isTrue();
        assertPoolThreadsAreClean();
    }

    @Test
    void aCheckpointInsideTheSectionIsTheCancelAlready() throws Exception {
        Future<Boolean> interrupted = runtime.serve(TestRuntime.ESCALATES, () -> {
            Call call = Call.current();
            assertThatThrownBy(() -> call.shield(() -> {
                        sleepThroughItsCancel();
                        call.throwIfCancelled();
                        return "";
                    }))
                    .isInstanceOf(CallCancelledException.class);
            return Thread.currentThread().isInterrupted();
        });
        cancel();

        assertThat(interrupted.get(5, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void whereNothingIsInterruptedNothingIsRaised() throws Exception {
        Future<String> answer = runtime.serve(
                TestRuntime.ESCALATES_WITHOUT_INTERRUPTS, () -> Call.current().shield(() -> {
                    sleepThroughItsCancel();
                    return "finished";
                }));
        cancel();

        assertThat(answer.get(5, TimeUnit.SECONDS)).isEqualTo("finished");
    }

    /** And once the shield is over the work may get stuck like any other. */
    @Test
    void whatOutlastsTheReportIsShieldedAndNotStuck() throws Exception {
        CountDownLatch leaveShield = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Future<?> answer = runtime.serve(TestRuntime.ESCALATES, () -> {
            assertThatThrownBy(() -> Call.current().shield(() -> {
                        inside.countDown();
                        Call.current().shield(() -> "nested");
                        leaveShield.await();
                        return "";
                    }))
                    .isInstanceOf(CallCancelledException.class);
            TestRuntime.spinUntil(() -> end.getCount() == 0);
            return "";
        });
        cancel();
        await().untilAsserted(() -> assertThat(runtime.heard).contains("shielded in park"));
        await().during(Duration.ofSeconds(2))
                .until(() -> runtime.heard.stream().noneMatch(heard -> heard.startsWith("stuck")));
        leaveShield.countDown();
        await().untilAsserted(() -> assertThat(runtime.heard)
                .filteredOn(heard -> heard.startsWith("stuck"))
                .hasSize(1));
        end.countDown();
        answer.get(5, TimeUnit.SECONDS);

        assertThat(runtime.heard)
                .filteredOn(heard -> heard.startsWith("shielded"))
                .hasSize(1);
        assertThat(runtime.heard).filteredOn(heard -> heard.startsWith("stuck")).hasSize(1);
    }

    /** A shield of one worker says nothing of another. */
    @Test
    void besideAShieldedWorkerAnotherMayBeStuck() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Future<?> answer = runtime.serve(TestRuntime.ESCALATES, () -> {
            Future<?> child = Call.current().executor(runtime.workers).submit(() -> {
                running.countDown();
                TestRuntime.spinUntil(() -> end.getCount() == 0);
                return "";
            });
            assertThatThrownBy(() -> Call.current().shield(() -> {
                        running.await();
                        inside.countDown();
                        return child.get();
                    }))
                    .isInstanceOf(CallCancelledException.class);
            return "";
        });
        cancel();
        await().untilAsserted(() -> assertThat(runtime.heard).anyMatch(heard -> heard.startsWith("stuck")));
        end.countDown();
        answer.get(5, TimeUnit.SECONDS);

        assertThat(runtime.heard).noneMatch(heard -> heard.startsWith("shielded"));
    }

    @Test
    void aThreadOutsideTheCallIsAttachedMeanwhile() throws Exception {
        CallScope call = runtime.begin(TestRuntime.ESCALATES);
        try {
            Future<Integer> workers = runtime.workers.submit(() -> {
                int inShield = call.shield(() -> {
                    assertThat(CallScope.current()).isSameAs(call);
                    return call.workers();
                });
                assertThat(CallScope.current()).isNull();
                return inShield;
            });
            assertThat(workers.get(5, TimeUnit.SECONDS)).isEqualTo(2);
            assertThat(call.workers()).isEqualTo(1);
        } finally {
            TestRuntime.end(call);
        }
    }

    /** Returns only after the cancel has done all that it does, and fails if that interrupted the sleep. */
    private void sleepThroughItsCancel() throws InterruptedException {
        inside.countDown();
        CallScope call = CallScope.current();
        while (call != null && call.phase() != CallState.CANCELLED) {
            Thread.sleep(2);
        }
        // The escalation interrupts once more.
        Thread.sleep(TestRuntime.SOON.toMillis() + 50);
    }

    private void cancel() {
        try {
            assertThat(inside.await(5, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(runtime.began.get(0).cancel(CancelReason.CALLER_CLOSED)).isTrue();
    }

    private void assertPoolThreadsAreClean() {
        for (int i = 0; i < 4; i++) {
            Future<Boolean> flag =
                    runtime.workers.submit(() -> Thread.currentThread().isInterrupted());
            assertThat(flag).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(false);
        }
    }
}
