package dev.hangup.call;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** An engine without a container: real canceller threads, a real timer thread, a real pool of workers, and a record of what was heard. */
class TestRuntime implements CallRuntime, CallListener, AutoCloseable {
    static final Duration SOON = Duration.ofMillis(500);
    static final Duration LATER = Duration.ofMillis(1000);
    private static final Duration NOT_IN_THIS_TEST = Duration.ofMinutes(5);

    static final Treatment CANCELS = treatment(true, true, NOT_IN_THIS_TEST, NOT_IN_THIS_TEST);
    static final Treatment OBSERVES = treatment(false, true, NOT_IN_THIS_TEST, NOT_IN_THIS_TEST);
    static final Treatment NEVER_INTERRUPTS = treatment(true, false, NOT_IN_THIS_TEST, NOT_IN_THIS_TEST);
    /** Escalates {@link #SOON} and reports {@link #LATER}. */
    static final Treatment ESCALATES = treatment(true, true, SOON, LATER);

    static final Treatment ESCALATES_WITHOUT_INTERRUPTS = treatment(true, false, SOON, LATER);

    /** Whether calls are spared a cancel that a signal asks for. */
    volatile boolean spares;

    private final ExecutorService cancellers = Executors.newFixedThreadPool(2, daemon("test-canceller"));
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(daemon("test-timer"));
    /** Two threads that work for calls and are used again and again. */
    final ExecutorService workers = Executors.newFixedThreadPool(2, daemon("test-worker"));

    final List<String> heard = new CopyOnWriteArrayList<>();
    final List<CallScope> began = new CopyOnWriteArrayList<>();

    private static Treatment treatment(
            boolean cancels, boolean interrupts, Duration escalateAfter, Duration stuckAfter) {
        return new Treatment(cancels, interrupts, true, true, escalateAfter, stuckAfter);
    }

    /** Begins a guarded call on this thread. */
    CallScope begin(Treatment treatment) {
        return begin(treatment, Duration.ofSeconds(30), null);
    }

    CallScope begin(Treatment treatment, Duration deadline, @Nullable Object peer) {
        return CallScope.begin(this, "GET", "GET /reports/{id}", treatment, deadline, true, peer);
    }

    /** What a servlet does: a call on a pool thread, from its begin to its end. */
    <T> Future<T> serve(Treatment treatment, Callable<T> work) {
        return workers.submit(() -> {
            CallScope call = begin(treatment);
            try {
                return work.call();
            } finally {
                call.leave();
                call.responseOver();
            }
        });
    }

    /** The end of a call that began on this thread. */
    static void end(CallScope call) {
        call.leave();
        call.responseOver();
    }

    /** Waits until a cancel has done all that it does at once. */
    static void awaitCancelled(CallScope call) {
        spinUntil(() -> call.phase() == CallState.CANCELLED);
    }

    /** Waits until this thread's interrupt flag is set, and leaves it so. */
    static void awaitInterrupt() {
        spinUntil(Thread.currentThread()::isInterrupted);
    }

    /** Without blocking, for a thread that may be interrupted meanwhile. */
    @SuppressWarnings("ThreadPriorityCheck")
    static void spinUntil(BooleanSupplier condition) {
        long until = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - until > 0) {
                throw new AssertionError("waited for 10 s in vain");
            }
            Thread.yield();
        }
    }

    /** Waits until whatever was handed to cancellers before has been done. */
    void awaitIdleCancellers() {
        CyclicBarrier barrier = new CyclicBarrier(3);
        Callable<Integer> meet = () -> barrier.await(10, TimeUnit.SECONDS);
        List<Future<Integer>> others = List.of(cancellers.submit(meet), cancellers.submit(meet));
        try {
            meet.call();
            for (Future<Integer> other : others) {
                other.get();
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static ThreadFactory daemon(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public void close() {
        workers.shutdownNow();
        cancellers.shutdownNow();
        timer.shutdownNow();
    }

    // ---- runtime

    @Override
    public Executor canceller() {
        return cancellers;
    }

    @Override
    public void at(long nanoTime, Runnable task) {
        ScheduledFuture<?> unused = timer.schedule(task, nanoTime - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public CallListener listener() {
        return this;
    }

    @Override
    public boolean mayCancel(CallScope call) {
        return !spares;
    }

    @Override
    public void began(CallScope call) {
        began.add(call);
    }

    // ---- listener

    @Override
    public void unwatched(CallScope call, Unwatched cause) {
        heard.add("unwatched " + cause);
    }

    @Override
    public void callerGone(CallScope call, CancelReason cause) {
        heard.add("gone " + cause);
    }

    @Override
    public void unowned(CallScope call) {
        heard.add("unowned");
    }

    @Override
    public void workerJoins(CallScope call) {
        heard.add("joins " + call.workers());
    }

    @Override
    public void workerLeaves(CallScope call) {
        heard.add("leaves " + call.workers());
    }

    @Override
    public void cancelled(CallScope call, CancelReason reason) {
        heard.add("cancelled " + reason);
    }

    @Override
    public void detached(CallScope call) {
        heard.add("detached");
    }

    @Override
    public void stuck(CallScope call, List<StackTraceElement> where) {
        heard.add("stuck" + (where.isEmpty() ? "" : " in " + where.get(0).getMethodName()));
    }

    @Override
    public void shielded(CallScope call, List<StackTraceElement> where) {
        heard.add("shielded" + (where.isEmpty() ? "" : " in " + where.get(0).getMethodName()));
    }

    @Override
    public void ended(CallScope call, Outcome outcome) {
        heard.add("ended " + outcome);
    }
}
