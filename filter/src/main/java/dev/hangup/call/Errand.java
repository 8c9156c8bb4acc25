package dev.hangup.call;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Something that is done elsewhere for a call, such as a request downstream: a part of the call from {@link #begin} to {@link #over},
 * and stopped before that by the call's cancel, by its own time, or by whoever waits for it. The first of them is the reason. Outside
 * of a call the other two remain. Any thread, if nothing else is said; nothing here blocks.
 *
 * <p>Race: a stop and something that has just begun. Whoever stops it gives the reason, then looks for the breaker; whoever begins it
 * gives the breaker, then looks for a reason. One of the two breaks it off, or both do.
 */
public final class Errand implements CallResource {
    private final @Nullable CallScope call;
    /** Completed when it is over; whoever times it withdraws then. */
    private final CompletableFuture<Void> timer = new CompletableFuture<>();

    private final AtomicReference<@Nullable Exception> reason = new AtomicReference<>();
    /** Written by the thread that begins it. */
    private volatile @Nullable Runnable breaker;

    /** @param call null: it is done for none */
    public Errand(@Nullable CallScope call) {
        this.call = call;
    }

    /** From now on it is stopped with its call; at once, if that stands cancelled. Pair it with {@link #over()}. */
    public void begin() {
        if (call != null) {
            call.add(this);
        }
    }

    /**
     * Stops it when this time has passed, if it is not over by then; on a thread of its own, whatever others do with theirs.
     *
     * @param late makes the reason
     */
    public void limit(Duration time, Supplier<? extends Exception> late) {
        Future<?> due = Delay.run(time, () -> {
            if (!timer.isDone()) {
                stop(late.get());
            }
        });
        CompletableFuture<?> unused = timer.whenComplete((over, never) -> due.cancel(false));
    }

    /**
     * It is under way, and this is how to break it off; done here if it was stopped before there was anything to stop.
     *
     * @param breaker run on any thread, any number of times, also when it is over; must not block
     */
    public void running(Runnable breaker) {
        this.breaker = breaker;
        if (reason.get() != null) {
            breaker.run();
        }
    }

    /** Breaks it off. The reason is the first one's. */
    public void stop(Exception why) {
        reason.compareAndSet(null, why);
        breakOff();
    }

    private void breakOff() {
        Runnable known = breaker;
        if (known != null) {
            known.run();
        }
        over();
    }

    /** Nothing is left to be stopped. Any number of times. */
    public void over() {
        timer.complete(null);
        if (call != null) {
            call.remove(this);
        }
    }

    /** Why it was stopped; null if it was not. */
    public @Nullable Exception reason() {
        return reason.get();
    }

    /** Throws {@link CallCancelledException} if its call stands cancelled, with this thread's stack. */
    public void throwIfCancelled() {
        if (call != null) {
            call.throwIfCancelled();
        }
    }

    // ---- as a part of the call

    /** The call's to ask. */
    @Override
    public void refuse() {
        try {
            throwIfCancelled();
        } catch (CallCancelledException cancelled) {
            reason.compareAndSet(null, cancelled);
        }
    }

    /** The call's to ask. */
    @Override
    public void cancel() {
        breakOff();
    }

    /** The call's to ask. */
    @Override
    public void abort() {
        breakOff();
    }
}
