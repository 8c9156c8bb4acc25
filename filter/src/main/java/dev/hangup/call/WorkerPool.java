package dev.hangup.call;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;

/**
 * The pool {@code workers}: the container's threads, and how many of them work for callers who left. It hears of unowned calls
 * as the first of the engine's listeners, and is announced by the engine through {@link CallListener#poolKnown}. Counted are
 * all threads attached to unowned calls, those of the application's own executors too.
 *
 * <p>Worker-seconds accrue when somebody asks, and before the number of a call's workers changes. A worker that joins or
 * leaves in the very instant in which its call becomes unowned may be missed by as much as that instant lasts.
 */
public final class WorkerPool implements Pool, CallListener {
    private final IntSupplier size;
    /** Unowned calls that have not ended; nothing of an ended call stays here. */
    private final Map<CallScope, Accrual> unowned = new ConcurrentHashMap<>();

    private final LongAdder nanos = new LongAdder();

    /** @param size how many threads the container may have; -1 where there is no bound (virtual threads) or it is not known yet */
    public WorkerPool(IntSupplier size) {
        this.size = size;
    }

    @Override
    public String name() {
        return "workers";
    }

    @Override
    public int size() {
        return size.getAsInt();
    }

    @Override
    public int unowned() {
        int workers = 0;
        for (CallScope call : unowned.keySet()) {
            workers += call.workers();
        }
        return workers;
    }

    @Override
    public long unownedNanos() {
        unowned.forEach(this::accrue);
        return nanos.sum();
    }

    @Override
    public void unowned(CallScope call) {
        if (!call.isDetached()) {
            unowned.put(call, new Accrual(call.unownedSince()));
            // Look after putting: the end or a detach may have come first, on another thread, and found nothing to
            // remove.
            if (call.isEnded() || call.isDetached()) {
                close(call);
            }
        }
    }

    @Override
    public void workerJoins(CallScope call) {
        accrueNow(call);
    }

    @Override
    public void workerLeaves(CallScope call) {
        accrueNow(call);
    }

    @Override
    public void detached(CallScope call) {
        close(call);
    }

    @Override
    public void ended(CallScope call, Outcome outcome) {
        if (call.unownedSince() != 0) {
            close(call);
        }
    }

    private void accrueNow(CallScope call) {
        Accrual accrual = unowned.get(call);
        if (accrual != null) {
            accrue(call, accrual);
        }
    }

    private void accrue(CallScope call, Accrual accrual) {
        nanos.add(accrual.take(CallFacts.now()) * call.workers());
    }

    private void close(CallScope call) {
        Accrual accrual = unowned.remove(call);
        if (accrual != null) {
            nanos.add(accrual.close(CallFacts.now()) * call.workers());
        }
    }
}
