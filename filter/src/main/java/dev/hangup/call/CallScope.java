package dev.hangup.call;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The seam through which the filter, the watches and the resources work on a call. Applications use {@link Call}; integrations
 * use this. The state machine is drawn in {@code CallState}, the handshake with workers in {@code Worker}.
 */
public final class CallScope extends CallWork {
    /** The endpoint's name where no route is known. */
    public static final String UNMATCHED = "UNMATCHED";

    private final Worker first;

    private CallScope(
            CallRuntime runtime,
            String method,
            String endpoint,
            Treatment treatment,
            Duration deadline,
            Arrival arrival,
            boolean guarded,
            @Nullable Object peer) {
        super(runtime, method, endpoint, treatment, deadline, arrival, guarded, peer);
        this.first = new Worker(this, guardOuter(), true);
    }

    /**
     * Begins a call and attaches the current thread to it. The caller must pair it with {@link #leave()} on this thread and
     * {@link #responseOver()} on any.
     *
     * @param endpoint low-cardinality route name, or {@link #UNMATCHED}
     * @param deadline the endpoint's own, from the moment that the request came; not negative, at most 146 years
     * @param arrival what else is known of its deadline
     * @param guarded whether the response is guarded, without which workers are never interrupted
     * @param peer what the watches look at (the request), held until the response is over
     * @param reply what the caller is answered with (the response), held as long
     */
    public static CallScope begin(
            CallRuntime runtime,
            String method,
            String endpoint,
            Treatment treatment,
            Duration deadline,
            Arrival arrival,
            boolean guarded,
            @Nullable Object peer,
            @Nullable Object reply) {
        CallScope scope = new CallScope(runtime, method, endpoint, treatment, deadline, arrival, guarded, peer);
        scope.reply = reply;
        Worker.CURRENT.set(scope.first);
        try {
            runtime.began(scope);
        } catch (RuntimeException | Error e) {
            scope.leave(); // or the thread's next request would begin inside this one
            throw e;
        }
        return scope;
    }

    /** As above, of a request of which nothing else is known. */
    public static CallScope begin(
            CallRuntime runtime,
            String method,
            String endpoint,
            Treatment treatment,
            Duration deadline,
            boolean guarded,
            @Nullable Object peer) {
        return begin(runtime, method, endpoint, treatment, deadline, Arrival.NOW, guarded, peer, null);
    }

    /** The call that the current thread is attached to, or null. */
    public static @Nullable CallScope current() {
        Worker worker = Worker.CURRENT.get();
        return worker == null ? null : worker.call;
    }

    // ---- workers

    /**
     * Attaches the current thread; pair it with {@link #leave()} in a finally. Attaching twice to the same call nests. If the
     * call stands cancelled and may interrupt, this thread is interrupted at once.
     */
    @Override
    public void attach() {
        Worker outer = Worker.CURRENT.get();
        if (outer != null && outer.call == this) {
            outer.attachments++;
            return;
        }
        if (isUnowned()) {
            runtime.listener().workerJoins(this);
        }
        boolean holds = hold();
        Worker worker = new Worker(this, guardOuter(), holds);
        Worker.CURRENT.set(worker);
        if (holds) {
            join(worker);
            // After joining: a cancel either finds this worker, or is seen here.
            if (isCancelled() && interruptible()) {
                worker.deliver();
            }
        }
    }

    /** An interrupt for the call that this thread worked for before must not hit the next one's work. */
    private static @Nullable Worker guardOuter() {
        Worker outer = Worker.CURRENT.get();
        if (outer != null) {
            outer.enterGuard();
        }
        return outer;
    }

    /**
     * Ends {@link #attach()}, or the beginning thread's work: from here on no interrupt of ours reaches this thread for this call,
     * and none is pending. Waits for an interrupt that is being delivered, never for hooks or drivers. If this was the last that
     * held the call, the call ends here: resources are disowned and the listener is told, on this thread.
     *
     * @throws IllegalStateException if this call is not the thread's current one
     */
    @Override
    public void leave() {
        Worker worker = Worker.CURRENT.get();
        if (worker == null || worker.call != this) {
            throw new IllegalStateException("this thread is not attached to " + endpoint);
        }
        if (--worker.attachments > 0) {
            return;
        }
        if (worker.holds && isUnowned()) {
            runtime.listener().workerLeaves(this);
        }
        worker.leave();
        Worker outer = worker.outer;
        Worker.CURRENT.set(outer);
        if (worker != first) {
            part(worker);
        }
        if (worker.holds && release()) {
            end();
        }
        if (outer != null && outer.leaveGuard()) {
            outer.deliver();
        }
    }

    // ---- what happens to a call

    /** A watch that is believed saw the caller leave. */
    public void callerGone(CancelReason cause) {
        callerGone(cause, true);
    }

    /**
     * A watch saw the caller leave. The first call counts; nobody is waiting, and so nobody leaves, once the response is over or
     * the whole answer was given.
     * Cancels where the endpoint cancels. Any thread.
     *
     * @param believed whether the watch is; a departure that it may have made up is counted, and cancels nothing
     */
    @Override
    public void callerGone(CancelReason cause, boolean believed) {
        if (isEnded() || isResponseOver() || isAnswered() || !GONE_CAUSE.compareAndSet(this, null, cause)) {
            return;
        }
        goneBelieved = believed;
        callerGoneAt = now();
        runtime.listener().callerGone(this, cause);
        if (hasCompany()) {
            onCanceller(hasGoneHooks(), () -> runHooks(cause, true));
        }
        if (!(treatment.cancels() && believed && cancelUnlessSpared(cause))) {
            becomeUnowned(callerGoneAt);
        }
    }

    /**
     * The clock stands at a deadline. Does nothing if the call has a later one by now. Where nothing is cancelled the outcome tells;
     * but past the deadline that it declared nobody waits, whether the connection is open or not. On the watcher, or on the worker
     * before its work.
     */
    public void deadlinePassed() {
        long due = deadlineAt;
        if (isResponseOver() || isAnswered() || due - now() > 0) {
            return;
        }
        boolean declared = deadlineDeclared;
        if (!declared && treatment.coversFirstByte() && hasMoved()) {
            deadlineFromNow();
            return;
        }
        if (declared && !isEnded()) {
            becomeUnowned(due == 0 ? 1 : due);
        }
        if (treatment.cancels()) {
            cancelUnlessSpared(declared ? CancelReason.CALLER_DEADLINE : CancelReason.ENDPOINT_DEADLINE);
        }
    }

    /** A cancel that a signal asks for, not the application: the engine may have had enough of them. */
    private boolean cancelUnlessSpared(CancelReason reason) {
        if (phase() != RUNNING) {
            return false; // it is nothing that the engine could spare
        }
        if (runtime.mayCancel(this)) {
            return cancel(reason);
        }
        spared = true;
        return false;
    }

    /** The watch cannot see this caller. The first call counts; on the watcher thread only. */
    public void unwatched(Unwatched cause) {
        if (!unwatched) {
            unwatched = true;
            runtime.listener().unwatched(this, cause);
        }
    }

    /**
     * Cancels the call, in every mode; true if this call of the method did it, false if it was cancelled before, is detached
     * (except at {@link CancelReason#SHUTDOWN}) or has ended. When it returns, nothing new can start or be committed on the
     * call's resources; the rest happens on cancellers. Any thread; does not block.
     */
    public boolean cancel(CancelReason reason) {
        if (!toCancelling(reason)) {
            return false;
        }
        cancelledAt = now();
        eachResource(CallResource::refuse);
        becomeUnowned(callerGoneAt == 0 ? cancelledAt : callerGoneAt);
        runtime.listener().cancelled(this, reason);
        onCanceller(hasCompleter(), new Ladder(this, reason));
        return true;
    }

    @Override
    public boolean cancel() {
        return cancel(CancelReason.MANUAL);
    }

    @Override
    public void detach() {
        if (toDetached()) {
            runtime.listener().detached(this);
        } else {
            throwIfCancelled();
        }
    }

    /**
     * A framework knows more than the filter did: the route's name, its treatment, its own deadline (counted as at the begin).
     * Cancels at once if the caller has left and the endpoint turns out to cancel. On a worker; readers on other threads may see
     * one of the three before the others.
     */
    public void refine(String endpoint, Treatment treatment, Duration deadline) {
        this.endpoint = endpoint;
        this.treatment = treatment;
        deadline(deadline);
        deadlineMoved();
        // Publish the treatment, then look: a departure marks itself, then looks at the treatment. One of the two
        // cancels.
        CancelReason cause = goneCause;
        if (treatment.cancels() && callerGoneAt != 0 && goneBelieved && cause != null) {
            cancelUnlessSpared(cause);
        }
    }

    /** Detached work is never unowned, not even when shutdown cancels it. */
    private void becomeUnowned(long since) {
        if (!wasDetached() && UNOWNED_SINCE.compareAndSet(this, 0, since)) {
            runtime.listener().unowned(this);
        }
    }

    @Override
    void end() {
        endedAt = now();
        toEnded();
        disband();
        runtime.listener().ended(this, outcome());
    }

    void eachWorker(Consumer<Worker> action) {
        action.accept(first);
        eachFurtherWorker(action);
    }
}
