package dev.hangup.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.Treatment;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A filter may keep its engine after it was closed, and a request that was on its way may still use it: nothing is kept of that. */
final class ClosedWatcherTest {
    private final Watcher watcher = new Watcher(List.of(), () -> Duration.ZERO);
    private final AtomicInteger run = new AtomicInteger();

    @Test
    void keepsNoCallThatComesAfterwards() {
        watcher.start();
        watcher.close();
        WeakReference<Object> request = arriveAndLeave();
        await().until(() -> {
            System.gc();
            return request.refersTo(null);
        });
        assertThat(watcher.alive()).isEmpty();
    }

    @Test
    void keepsNoTaskThatComesAfterwards() {
        watcher.start();
        watcher.close();
        WeakReference<Object> task = schedule();
        await().until(() -> {
            System.gc();
            return task.refersTo(null);
        });
        assertThat(run).hasValue(0);
    }

    /** Arrivals from all sides while the watcher closes: each is dropped by it or by who brings it. */
    @Test
    void keepsNothingThatComesMeanwhile() throws Exception {
        watcher.start();
        Thread closing = new Thread(watcher::close, "closing");
        WeakReference<Object> last = arriveAndLeave();
        closing.start();
        while (closing.isAlive()) {
            last = arriveAndLeave();
        }
        closing.join();
        WeakReference<Object> request = last;
        await().until(() -> {
            System.gc();
            return request.refersTo(null);
        });
    }

    /** Leaves without saying that the response is over, as a call does whose listeners are told nothing: it would hold its request. */
    private WeakReference<Object> arriveAndLeave() {
        Object request = new Object();
        CallScope call = CallScope.begin(
                new Engine(),
                "GET",
                "GET /",
                new Treatment(false, false, true, true, Duration.ofMinutes(5), Duration.ofMinutes(5)),
                Duration.ofMinutes(5),
                false,
                request);
        call.leave();
        return new WeakReference<>(request);
    }

    private WeakReference<Object> schedule() {
        Object held = new Object();
        watcher.at(System.nanoTime(), () -> run.addAndGet(held.hashCode() == 0 ? 1 : 2));
        return new WeakReference<>(held);
    }

    private final class Engine implements CallRuntime, CallListener {
        @Override
        public Executor canceller() {
            return Runnable::run;
        }

        @Override
        public void at(long nanoTime, Runnable task) {
            watcher.at(nanoTime, task);
        }

        @Override
        public CallListener listener() {
            return this;
        }

        @Override
        public void began(CallScope call) {
            watcher.arrive(call);
        }
    }
}
