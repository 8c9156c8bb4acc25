package dev.hangup.call;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** The application's work under a call: sections that no cancel interrupts, and tasks on other threads. */
abstract class CallWork extends CallRoster {
    /** Written by the worker, or by the canceller, that has made it. */
    private volatile @Nullable CallAnswer answer;

    CallWork(
            CallRuntime runtime,
            String method,
            String endpoint,
            Treatment treatment,
            Duration deadline,
            Arrival arrival,
            boolean guarded,
            @Nullable Object peer) {
        super(runtime, method, endpoint, treatment, deadline, arrival, guarded, peer);
    }

    /** The application answers the cancel like this; the last one counts, and none where the answer is given already. Any thread. */
    public final void answer(CallAnswer own) {
        answer = own;
    }

    /** The application's own answer to the cancel, null if it has none. Any thread. */
    public final @Nullable CallAnswer answer() {
        return answer;
    }

    /** A commit of this call has succeeded. Returns true if the call was cancelled by then, so that the commit is too late. On a worker. */
    public final boolean committed() {
        boolean late = isCancelled();
        if (late) {
            tooLate = true;
        } else if (callerGoneAt != 0) {
            committedAfterGone = true;
        }
        return late;
    }

    /** Attaches the current thread. */
    public abstract void attach();

    /** Ends {@link #attach()}. */
    public abstract void leave();

    /**
     * Keeps cancels from interrupting the current thread until {@link #leaveGuard()}, and takes back an interrupt of ours that is
     * still unanswered; nests. Waits for an interrupt that is being delivered. Does nothing outside a call. For the thread itself,
     * paired within one attachment.
     */
    public static void enterGuard() {
        Worker worker = Worker.CURRENT.get();
        if (worker != null) {
            worker.enterGuard();
        }
    }

    /**
     * Ends {@link #enterGuard()}. True if the outermost guard was left and the call stands cancelled and may interrupt: the caller
     * raises it, in its own exception type. No interrupt follows by itself, except the escalation's.
     *
     * @throws IllegalStateException if this thread has not entered a guard of its current call
     */
    public static boolean leaveGuard() {
        Worker worker = Worker.CURRENT.get();
        return worker != null && worker.leaveGuard();
    }

    /** Ends {@link #enterGuard()} where nothing can be thrown: a cancel that waited is raised as an interrupt now. */
    public static void leaveGuardQuietly() {
        Worker worker = Worker.CURRENT.get();
        if (worker != null && worker.leaveGuard()) {
            worker.deliver();
        }
    }

    /**
     * A framework ends the asynchronous response by itself when the call is cancelled: {@code completer} runs once then, on a
     * canceller, after the hooks and before any interrupt. Only when it has returned, or when the cancel escalates, the front door
     * completes what it has left open. The call does not end meanwhile, though the response may. In place of one registered before. Any thread.
     */
    public final void completer(Runnable completer) {
        turn(new Completer(completer));
        // Registered, then looked: a canceller marks the call, then looks for a completer. One of the two sees the
        // other.
        CancelReason reason = reason();
        if (reason != null) {
            runtime.canceller().execute(() -> completeInTurn(reason));
        }
        if (isEnded()) {
            turn(null); // whoever ended the call may have looked before
        }
    }

    @Override
    public final <T> T shield(Callable<T> section) throws Exception {
        attach();
        Worker worker = Worker.CURRENT.get();
        boolean outermost = worker.enterShield();
        T result;
        boolean raise;
        try {
            result = section.call();
            raise = worker.leaveShield(outermost);
        } catch (Throwable failure) {
            if (worker.leaveShield(outermost) && !(failure instanceof CallCancelledException)) {
                worker.deliver(); // the section's own exception is not to be hidden: the next wait raises the cancel
            }
            throw failure;
        } finally {
            leave();
        }
        if (raise) {
            throwIfCancelled();
        }
        return result;
    }

    @Override
    public final Runnable wrap(Runnable task) {
        return Carried.of(this, task);
    }

    @Override
    public final <T> Callable<T> wrap(Callable<T> task) {
        return Carried.of(this, task);
    }

    @Override
    public final Executor executor(Executor delegate) {
        return task -> delegate.execute(wrap(task));
    }

    @Override
    public final ExecutorService executor(ExecutorService delegate) {
        return new CarryingExecutorService(this, delegate);
    }
}
