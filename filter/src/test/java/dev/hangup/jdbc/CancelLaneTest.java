package dev.hangup.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CancelLaneTest {
    private final CancelLane lane = new CancelLane();
    private final ExecutorService cancellers = Executors.newFixedThreadPool(32);
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger fired = new AtomicInteger();

    @AfterEach
    void close() {
        cancellers.shutdownNow();
    }

    @Test
    void letsEightThroughAtOnceAndLosesNone() {
        for (int i = 0; i < 500; i++) {
            cancellers.execute(() -> lane.submit(new Shot()));
        }
        await().until(() -> fired.get() == 500);
        assertThat(most).hasValueLessThanOrEqualTo(CancelLane.WIDTH).hasValueGreaterThan(1);
    }

    /** The entry that waits is lost with its engine, but not the room that it would have taken. */
    @Test
    void keepsItsWidthWhenAnEngineIsClosed() {
        CancelLane.Entry refused = new CancelLane.Entry() {
            @Override
            public void fire() {}

            @Override
            public void dispatch(Runnable task) {
                throw new RejectedExecutionException("closed");
            }
        };
        CancelLane.Entry full = new CancelLane.Entry() {
            @Override
            public void fire() {
                submitNested(CancelLane.WIDTH - 1);
            }

            private void submitNested(int depth) {
                if (depth == 0) {
                    lane.submit(refused);
                } else {
                    lane.submit(new CancelLane.Entry() {
                        @Override
                        public void fire() {
                            submitNested(depth - 1);
                        }

                        @Override
                        public void dispatch(Runnable task) {
                            throw new AssertionError("there was room");
                        }
                    });
                }
            }

            @Override
            public void dispatch(Runnable task) {
                throw new AssertionError("there was room");
            }
        };
        assertThatThrownBy(() -> lane.submit(full)).isInstanceOf(RejectedExecutionException.class);
        for (int i = 0; i < 100; i++) {
            cancellers.execute(() -> lane.submit(new Shot()));
        }
        await().until(() -> fired.get() == 100);
    }

    private final class Shot implements CancelLane.Entry {
        @Override
        public void fire() {
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            LockSupport.parkNanos(200_000);
            inFlight.decrementAndGet();
            fired.incrementAndGet();
        }

        @Override
        public void dispatch(Runnable task) {
            cancellers.execute(task);
        }
    }
}
