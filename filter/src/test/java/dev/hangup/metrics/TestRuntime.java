package dev.hangup.metrics;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallRuntime;
import dev.hangup.call.CallScope;
import dev.hangup.call.Treatment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A small engine: real calls, one canceller, real timers. */
final class TestRuntime implements CallRuntime, AutoCloseable {
    static final Treatment OBSERVED = treatment(false, false, Duration.ofSeconds(10));
    static final Treatment NAMED = treatment(false, true, Duration.ofSeconds(10));
    static final Treatment CANCELLED = treatment(true, true, Duration.ofSeconds(10));

    private final CallListener listener;
    private final ScheduledThreadPoolExecutor canceller = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "test-canceller");
        thread.setDaemon(true);
        return thread;
    });

    TestRuntime(CallListener... listeners) {
        this.listener = listeners.length == 1 ? listeners[0] : all(List.of(listeners));
    }

    static Treatment treatment(boolean cancels, boolean named, Duration stuckAfter) {
        return new Treatment(cancels, false, true, named, Duration.ofSeconds(10), stuckAfter);
    }

    CallScope begin(String endpoint, Treatment treatment) {
        return begin(endpoint, treatment, Duration.ofSeconds(30));
    }

    CallScope begin(String endpoint, Treatment treatment, Duration deadline) {
        return CallScope.begin(this, "GET", endpoint, treatment, deadline, false, null);
    }

    /** On the thread that began it; calls of one thread end in reverse order. */
    static void end(CallScope call) {
        call.leave();
        call.responseOver();
    }

    /** Work that is neither interrupted nor parked. */
    static void work(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - until < 0) {
            Thread.onSpinWait();
        }
    }

    private static CallListener all(List<CallListener> listeners) {
        return (CallListener) Proxy.newProxyInstance(
                CallListener.class.getClassLoader(), new Class<?>[] {CallListener.class}, (proxy, event, values) -> {
                    for (CallListener listener : listeners) {
                        try {
                            event.invoke(listener, values);
                        } catch (InvocationTargetException e) {
                            throw new AssertionError(e.getCause());
                        }
                    }
                    return null;
                });
    }

    @Override
    public Executor canceller() {
        return canceller;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored")
    public void at(long nanoTime, Runnable task) {
        canceller.schedule(task, nanoTime - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public CallListener listener() {
        return listener;
    }

    @Override
    public void began(CallScope call) {}

    @Override
    public void close() {
        canceller.shutdownNow();
    }
}
