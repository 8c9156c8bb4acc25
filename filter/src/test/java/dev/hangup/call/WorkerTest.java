package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The arrows of the class comment, one by one, on this thread, which plays worker and canceller; the race test plays both at once. */
final class WorkerTest {
    private final TestRuntime runtime = new TestRuntime();
    private CallScope call;
    private Worker worker;

    @BeforeEach
    void begin() {
        call = runtime.begin(TestRuntime.CANCELS);
        worker = Worker.CURRENT.get();
    }

    @AfterEach
    void end() {
        Thread.interrupted();
        if (!worker.hasLeft()) {
            TestRuntime.end(call);
        }
        runtime.close();
    }

    @Test
    void freeIsInterrupted() {
        worker.deliver();

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void answeredIsInterruptedAgain() {
        worker.deliver();
        assertThat(Thread.interrupted()).isTrue();
        worker.deliver();

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void guardedIsNotInterrupted() {
        worker.enterGuard();
        worker.deliver();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(worker.leaveGuard()).as("not cancelled").isFalse();
        worker.deliver();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aGuardClearsOurInterruptOnTheWayIn() {
        worker.deliver();
        worker.enterGuard();

        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void onlyTheOutermostGuardTells() {
        worker.enterGuard();
        worker.enterGuard();
        call.toCancelling(CancelReason.MANUAL);

        assertThat(worker.leaveGuard()).isFalse();
        worker.deliver();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(worker.leaveGuard()).isTrue();
    }

    @Test
    void aGuardThatWasNotEnteredCannotBeLeft() {
        assertThatThrownBy(worker::leaveGuard)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("GET /reports/{id}");
        worker.enterGuard();
        worker.deliver();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void leftIsNotInterrupted() {
        TestRuntime.end(call);
        worker.deliver();

        assertThat(worker.hasLeft()).isTrue();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void leavingClearsOurInterrupt() {
        worker.deliver();
        TestRuntime.end(call);

        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void leavingInsideAGuardClearsOurInterrupt() {
        worker.deliver();
        worker.enterGuard();
        TestRuntime.end(call);

        assertThat(worker.hasLeft()).isTrue();
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    @DisplayName("case 33: work that answers our interrupt, passes a guard and sets the flag again does not leak it")
    void aRestoredInterruptIsOurs() {
        worker.deliver();
        assertThat(Thread.interrupted()).isTrue();
        worker.enterGuard();
        worker.leaveGuard();
        Thread.currentThread().interrupt();
        TestRuntime.end(call);

        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aForeignInterruptIsLeftAloneAndStaysBeyondTheEnd() {
        Thread.currentThread().interrupt();
        worker.deliver();
        worker.enterGuard();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        worker.leaveGuard();
        worker.deliver();
        TestRuntime.end(call);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aForeignInterruptInACallThatIsNotCancelledStays() {
        worker.enterGuard();
        Thread.currentThread().interrupt();
        worker.leaveGuard();
        TestRuntime.end(call);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anInterruptThatThrowsLeavesTheWorkerFree() throws Exception {
        Thread fragile =
                new Thread(
                        () -> {
                            CallScope own = runtime.begin(TestRuntime.CANCELS);
                            Worker me = Worker.CURRENT.get();
                            assertThatThrownBy(me::deliver).isInstanceOf(SecurityException.class);
                            TestRuntime.end(own);
                        },
                        "fragile") {
                    @Override
                    public void interrupt() {
                        throw new SecurityException("not allowed");
                    }
                };
        fragile.setDaemon(true);
        fragile.start();
        fragile.join(5_000);

        assertThat(fragile.isAlive()).as("waits for a delivery that never ends").isFalse();
        assertThat(runtime.heard).containsExactly("ended COMPLETED");
    }

    @Test
    @DisplayName(
            "case 12: a fork-join worker, which may be running somebody else's task, gets the flag and no interrupt")
    void aForkJoinWorkerIsNotInterrupted() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(1);
        try {
            boolean interrupted = pool.submit(() -> {
                        call.attach();
                        try {
                            Worker.CURRENT.get().deliver();
                            return Thread.interrupted();
                        } finally {
                            call.leave();
                        }
                    })
                    .get();
            assertThat(interrupted).isFalse();
        } finally {
            pool.shutdownNow();
        }
    }
}
