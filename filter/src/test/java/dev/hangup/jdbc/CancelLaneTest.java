package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

final class CancelLaneTest {
    private final CancelLane lane = new CancelLane();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger fired = new AtomicInteger();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    @Test
    void letsFewThroughAtOnceLosesNoneAndLeavesNoThread() {
        for (int i = 0; i < 500; i++) {
            lane.execute(this::shot);
        }
        await().until(() -> fired.get() == 500);
        assertThat(most).hasValueLessThanOrEqualTo(CancelLane.WIDTH).hasValueGreaterThan(1);
        assertThat(threads).allMatch(Thread::isDaemon);
        await().until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    @Test
    void goesOnAfterWhatThrows() {
        for (int i = 0; i < CancelLane.WIDTH; i++) {
            lane.execute(() -> {
                throw new IllegalStateException("by a driver");
            });
        }
        lane.execute(this::shot);
        await().until(() -> fired.get() == 1);
    }

    @Test
    void freesWhatHoldsTheLane() {
        CountDownLatch free = new CountDownLatch(1);
        for (int i = 0; i < CancelLane.WIDTH; i++) {
            lane.execute(() -> BorrowFixture.awaitQuietly(free));
        }
        lane.execute(this::shot);
        assertThat(fired).hasValue(0);
        lane.apart(free::countDown);
        await().until(() -> fired.get() == 1);
    }

    private void shot() {
        threads.add(Thread.currentThread());
        most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        LockSupport.parkNanos(200_000);
        inFlight.decrementAndGet();
        fired.incrementAndGet();
    }
}
