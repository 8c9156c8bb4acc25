package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Worker-seconds against the instants that the test reads itself, just outside and just inside of what is counted. */
final class WorkerPoolTest {
    private static final Treatment OBSERVED =
            new Treatment(false, false, true, false, Duration.ofSeconds(2), Duration.ofSeconds(10));

    private final WorkerPool pool = new WorkerPool(() -> 8);

    @Test
    void isThePoolOfWorkers() {
        assertThat(pool.name()).isEqualTo("workers");
        assertThat(pool.size()).isEqualTo(8);
        assertThat(pool.unowned()).isZero();
        assertThat(pool.unownedNanos()).isZero();
    }

    @Test
    void countsNoWorkerWhoseCallerStays() {
        CallScope call = begin(pool);
        spend(5);
        assertThat(pool.unowned()).isZero();
        end(call);
        assertThat(pool.unownedNanos()).isZero();
    }

    @Test
    void countsOneWorkerFromTheDepartureToTheEnd() {
        CallScope call = begin(pool);
        spend(5);
        call.callerGone(CancelReason.CALLER_CLOSED);
        assertThat(pool.unowned()).isEqualTo(1);
        spend(20);
        long early = pool.unownedNanos();
        assertThat(early).isGreaterThanOrEqualTo(millis(20));
        spend(20);
        long before = System.nanoTime() - call.unownedSince();
        end(call);
        long after = System.nanoTime() - call.unownedSince();

        assertThat(pool.unownedNanos()).isBetween(before, after).isGreaterThan(early);
        assertThat(pool.unowned()).isZero();
    }

    /** A second worker joins after 20 ms of one, stays for 30 ms, and leaves before 20 ms of one: 20 + 60 + 20. */
    @Test
    void weighsEachStretchByTheWorkersOfThatStretch() throws InterruptedException {
        CallScope call = begin(pool);
        call.callerGone(CancelReason.CALLER_RESET);
        spend(20);
        CountDownLatch joined = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        long[] second = new long[4];
        Thread other = new Thread(() -> {
            second[0] = System.nanoTime();
            call.attach();
            second[1] = System.nanoTime();
            joined.countDown();
            awaitQuietly(leave);
            second[2] = System.nanoTime();
            call.leave();
            second[3] = System.nanoTime();
        });
        other.start();
        joined.await();
        assertThat(pool.unowned()).isEqualTo(2);
        spend(30);
        leave.countDown();
        other.join();
        assertThat(pool.unowned()).isEqualTo(1);
        spend(20);
        long before = System.nanoTime() - call.unownedSince();
        end(call);
        long after = System.nanoTime() - call.unownedSince();

        assertThat(pool.unownedNanos()).isBetween(before + second[2] - second[1], after + second[3] - second[0]);
    }

    @Test
    void anAsynchronousCallHoldsNoWorkerWhileItWaits() {
        CallScope call = begin(pool);
        call.callerGone(CancelReason.CALLER_CLOSED);
        call.leave();
        long atRest = pool.unownedNanos();
        spend(10);

        assertThat(pool.unowned()).isZero();
        assertThat(pool.unownedNanos()).isEqualTo(atRest);
        call.responseOver();
        assertThat(pool.unownedNanos()).isEqualTo(atRest);
    }

    @Test
    void detachStopsTheCount() {
        CallScope call = begin(pool);
        call.callerGone(CancelReason.CALLER_CLOSED);
        spend(10);
        call.detach();
        long detached = pool.unownedNanos();
        assertThat(detached).isGreaterThanOrEqualTo(millis(10));
        spend(10);

        assertThat(pool.unowned()).isZero();
        end(call);
        assertThat(pool.unownedNanos()).isEqualTo(detached);
    }

    @Test
    void aShutdownDoesNotMakeDetachedWorkUnowned() {
        CallScope call = begin(pool);
        call.detach();
        assertThat(call.cancel(CancelReason.SHUTDOWN)).isTrue();
        spend(5);

        assertThat(pool.unowned()).isZero();
        end(call);
        assertThat(pool.unownedNanos()).isZero();
    }

    /** The news of the departure is held up until the call has ended: nothing may stay behind. */
    @Test
    void forgetsACallThatEndedBeforeItsDepartureWasHeardOf() {
        CallScope call = begin(new CallListener() {});
        call.callerGone(CancelReason.CALLER_CLOSED);
        end(call);
        pool.ended(call, Outcome.WOULD_CANCEL);
        pool.unowned(call);

        assertThat(pool.unowned()).isZero();
        WeakReference<CallScope> trace = new WeakReference<>(call);
        call = null;
        await().until(() -> {
            System.gc();
            return trace.get() == null;
        });
    }

    private static CallScope begin(CallListener listener) {
        return CallScope.begin(
                new CallRuntime() {
                    @Override
                    public Executor canceller() {
                        return task -> new Thread(task).start();
                    }

                    @Override
                    public void at(long nanoTime, Runnable task) {}

                    @Override
                    public CallListener listener() {
                        return listener;
                    }

                    @Override
                    public void began(CallScope call) {}
                },
                "GET",
                "GET /work",
                OBSERVED,
                Duration.ofSeconds(30),
                false,
                null);
    }

    private static void end(CallScope call) {
        call.leave();
        call.responseOver();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void spend(long millis) {
        long until = System.nanoTime() + millis(millis);
        while (System.nanoTime() - until < 0) {
            Thread.onSpinWait();
        }
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
