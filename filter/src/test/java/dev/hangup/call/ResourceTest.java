package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ResourceTest {
    private final TestRuntime runtime = new TestRuntime();
    private final Recorded resource = new Recorded();

    @AfterEach
    void close() {
        Thread.interrupted();
        runtime.close();
    }

    @Test
    void refusesOnTheCancellingThreadBeforeCancelReturns() {
        CallScope call = runtime.begin(TestRuntime.NEVER_INTERRUPTS);
        call.add(resource);
        call.cancel();

        assertThat(resource.seen.get(0))
                .isEqualTo("refuse on " + Thread.currentThread().getName());
        TestRuntime.awaitCancelled(call);
        assertThat(resource.seen.get(1)).isEqualTo("cancel on test-canceller");
        TestRuntime.end(call);
    }

    @Test
    void isAbortedWhenTheWorkDoesNotEndAndDisownedAtTheEnd() {
        CallScope call = runtime.begin(TestRuntime.ESCALATES_WITHOUT_INTERRUPTS);
        call.add(resource);
        call.cancel();
        await().atMost(Duration.ofSeconds(5)).until(() -> resource.seen.size() == 3);
        TestRuntime.end(call);

        String me = " on " + Thread.currentThread().getName();
        assertThat(resource.seen)
                .startsWith("refuse" + me)
                .endsWith("disown" + me)
                .hasSize(4);
        assertThat(resource.seen.subList(1, 3))
                .containsExactlyInAnyOrder("cancel on test-canceller", "abort on test-canceller");
    }

    @Test
    void isRefusedAtOnceWhenAddedAfterTheCancel() {
        CallScope call = runtime.begin(TestRuntime.NEVER_INTERRUPTS);
        call.cancel();
        TestRuntime.awaitCancelled(call);
        call.add(resource);

        assertThat(resource.seen)
                .containsExactly("refuse on " + Thread.currentThread().getName());
        TestRuntime.end(call);
    }

    @Test
    void isNotTouchedOnceWithdrawn() {
        CallScope call = runtime.begin(TestRuntime.NEVER_INTERRUPTS);
        call.add(resource);
        call.remove(resource);
        call.cancel();
        TestRuntime.awaitCancelled(call);
        TestRuntime.end(call);

        assertThat(resource.seen).isEmpty();
    }

    @Test
    void isOnlyDisownedWhereNothingIsCancelled() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.add(resource);
        TestRuntime.end(call);
        call.cancel();
        runtime.awaitIdleCancellers();

        assertThat(resource.seen)
                .containsExactly("disown on " + Thread.currentThread().getName());
    }

    @Test
    void isDisownedAtOnceWhenAddedAfterTheEnd() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        TestRuntime.end(call);
        call.add(resource);
        call.remove(resource);

        assertThat(resource.seen)
                .containsExactly("disown on " + Thread.currentThread().getName());
    }

    @Test
    void isRefusedAndDisownedAtOnceWhenAddedAfterTheEndOfACancelledCall() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.cancel();
        TestRuntime.end(call);
        call.add(resource);

        String me = " on " + Thread.currentThread().getName();
        assertThat(resource.seen).containsExactly("refuse" + me, "disown" + me);
    }

    @Test
    void whatOneThrowsKeepsNothingFromTheNextNorFromTheWorkers() {
        CapturedLog log = new CapturedLog();
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        call.add(new Broken());
        call.add(resource);
        call.cancel();
        TestRuntime.awaitCancelled(call);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(resource.seen).hasSize(2);
        TestRuntime.end(call);
        assertThat(resource.seen).hasSize(3);
        log.close();
        assertThat(runtime.heard).endsWith("ended CANCELLED");
        assertThat(log.lines())
                .containsExactly(
                        "WARNING a step of a call's end failed: resource: cannot refuse",
                        "WARNING a step of a call's end failed: resource: cannot cancel",
                        "WARNING a step of a call's end failed: disown: cannot disown");
    }

    @Test
    void oneThatBlocksDoesNotKeepTheEscalationFromComing() {
        CountDownLatch never = new CountDownLatch(1);
        CallScope call = runtime.begin(TestRuntime.ESCALATES);
        call.add(new Recorded() {
            @Override
            public void cancel() {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        call.add(resource);
        call.cancel();

        TestRuntime.awaitInterrupt();
        assertThat(resource.seen).last().isEqualTo("abort on test-canceller");
        TestRuntime.end(call);
        never.countDown();
    }

    private static class Recorded implements CallResource {
        final List<String> seen = new CopyOnWriteArrayList<>();

        private void saw(String what) {
            seen.add(what + " on " + Thread.currentThread().getName());
        }

        @Override
        public void refuse() {
            saw("refuse");
        }

        @Override
        public void cancel() {
            saw("cancel");
        }

        @Override
        public void abort() {
            saw("abort");
        }

        @Override
        public void disown() {
            saw("disown");
        }
    }

    private static final class Broken implements CallResource {
        @Override
        public void refuse() {
            throw new IllegalStateException("cannot refuse");
        }

        @Override
        public void cancel() {
            throw new IllegalStateException("cannot cancel");
        }

        @Override
        public void abort() {
            throw new IllegalStateException("cannot abort");
        }

        @Override
        public void disown() {
            throw new IllegalStateException("cannot disown");
        }
    }
}
