package dev.hangup.call;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One call of a race, with an engine, a listener and a resource of its own: so whatever is heard belongs to this call. Its
 * cancellers are whatever thread cancels, because a hand-over would hide the instants that the race is about.
 */
final class RaceRound implements CallRuntime, CallListener, CallResource {
    static final int STARTING = 0;
    static final int WORKING = 1;
    static final int ENTERING_GUARD = 2;
    static final int GUARDED = 3;
    static final int LEAVING_GUARD = 4;
    static final int PARKED = 5;
    static final int NESTED = 6;
    static final int LEAVING = 7;
    static final int LEFT = 8;
    static final String[] PHASES = {
        "starting", "working", "entering guard", "guarded", "leaving guard", "parked", "nested", "leaving", "left"
    };

    private static final Treatment CANCELS =
            new Treatment(true, true, true, true, Duration.ofSeconds(2), Duration.ofSeconds(10));

    final CallScope call;
    /** Written by the worker; where it stands. */
    volatile int phase;
    /** Written by the canceller: its cancel won. */
    volatile boolean won;
    /** Written by the worker: its own cancel won. */
    volatile boolean wonByWorker;

    volatile boolean detached;
    /** Written by the worker once the resource has been added for good. */
    volatile boolean added;

    volatile boolean refused;
    final AtomicInteger disowned = new AtomicInteger();
    final AtomicInteger cancelled = new AtomicInteger();
    final AtomicInteger gone = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    volatile @Nullable Outcome outcome;
    /** The escalation, set by the cancel; the stuck report follows it and is not run. */
    volatile @Nullable Runnable escalation;

    /** Begins the call on this thread. */
    RaceRound() {
        call = CallScope.begin(this, "GET", "GET /race", CANCELS, Duration.ofSeconds(30), true, this);
    }

    /** To be called when the worker has left, the response is over and no canceller is at this call any more. */
    void verify() {
        require(call.phase() == CallState.ENDED, "did not end");
        require(call.holds() == 0, "is still held");
        require(ended.get() == 1, "ended " + ended + " times");
        require(!(won && wonByWorker), "was cancelled twice");
        boolean cancelWon = won || wonByWorker;
        require(cancelled.get() == (cancelWon ? 1 : 0), "told of " + cancelled + " cancels");
        require(call.isCancelled() == cancelWon, "cancel won " + cancelWon + ", but isCancelled " + call.isCancelled());
        boolean shutDown = call.cancelReason().orElse(null) == CancelReason.SHUTDOWN;
        require(!(cancelWon && detached) || shutDown, "was cancelled after it was detached");
        require(gone.get() <= 1, "lost its caller twice");
        require(outcome == expected(cancelWon), "has outcome " + outcome);
        require(disowned.get() == (added ? 1 : 0), "disowned its resource " + disowned + " times");
    }

    private @Nullable Outcome expected(boolean cancelWon) {
        if (cancelWon) {
            return Outcome.CANCELLED;
        }
        if (detached) {
            return Outcome.DETACHED;
        }
        // A departure that loses to the end may still be seen by it.
        return outcome == Outcome.COMPLETED_AFTER_GONE && gone.get() == 1
                ? Outcome.COMPLETED_AFTER_GONE
                : Outcome.COMPLETED;
    }

    void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError("a call in phase " + PHASES[phase] + " " + otherwise + ": " + call);
        }
    }

    // ---- runtime

    @Override
    public Executor canceller() {
        return Runnable::run;
    }

    @Override
    public void at(long nanoTime, Runnable task) {
        if (escalation == null) {
            escalation = task;
        }
    }

    @Override
    public CallListener listener() {
        return this;
    }

    @Override
    public void began(CallScope begun) {}

    // ---- listener

    @Override
    public void callerGone(CallScope who, CancelReason cause) {
        gone.incrementAndGet();
    }

    @Override
    public void cancelled(CallScope who, CancelReason reason) {
        cancelled.incrementAndGet();
    }

    @Override
    public void ended(CallScope who, Outcome how) {
        outcome = how;
        ended.incrementAndGet();
    }

    // ---- resource

    @Override
    public void refuse() {
        refused = true;
    }

    @Override
    public void cancel() {}

    @Override
    public void abort() {}

    @Override
    public void disown() {
        disowned.incrementAndGet();
    }
}
