package dev.hangup.call;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The blocking part of a cancel, rung by rung, on canceller threads: resources, hooks, the asynchronous answer, the connection of
 * a blocked write, interrupts; after {@code escalateAfter} interrupts again and aborts; after {@code stuckAfter} a report. Where
 * the endpoint is not interrupted all else is done. Each rung looks first whether the call has ended meanwhile; no step keeps the
 * next from its turn by throwing, no rung the next by blocking.
 */
final class Ladder implements Runnable {
    private static final int STACK_TOP = 12;
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final CallScope call;
    private final CancelReason reason;
    /** Read and written by one report after the other. */
    private volatile boolean shieldTold;

    Ladder(CallScope call, CancelReason reason) {
        this.call = call;
        this.reason = reason;
    }

    @Override
    public void run() {
        if (call.isEnded()) {
            return;
        }
        // First, because a driver's cancel or a hook may block for ever.
        later(call.treatment().escalateAfter(), this::escalate);
        later(call.treatment().stuckAfter(), this::report);
        call.eachResource(CallResource::cancel);
        foreign("hooks", () -> call.runHooks(reason, false));
        step("complete", () -> call.completeInTurn(reason));
        step("abort", () -> call.abortIf(CallResponse::inWrite));
        if (call.interruptible()) {
            interrupt();
        }
        call.toCancelled();
    }

    /** The application's code may leave the flag set, and then the container's next write on this thread would close the connection. */
    static void foreign(String what, Runnable action) {
        boolean before = Thread.currentThread().isInterrupted();
        step(what, action);
        if (!before) {
            Thread.interrupted();
        }
    }

    private void later(Duration afterCancel, Runnable rung) {
        at(call.cancelledAt() + afterCancel.toNanos(), rung);
    }

    private void at(long nanoTime, Runnable rung) {
        call.runtime.at(nanoTime, () -> {
            if (!call.isEnded()) {
                call.runtime.canceller().execute(rung);
            }
        });
    }

    private void escalate() {
        call.eachResource(CallResource::abort);
        if (call.interruptible()) {
            interrupt();
        }
        step("complete", () -> call.completeNow(reason));
        step("abort", () -> call.abortIf(this::mustBreak));
    }

    private boolean mustBreak(CallResponse response) {
        return response.inWrite() || (reason.deadline() && response.holdsCaller());
    }

    private void interrupt() {
        call.eachWorker(worker -> step("interrupt", worker::deliver));
    }

    private void report() {
        if (call.isEnded() || call.workers() == 0) {
            return;
        }
        List<Worker> stuck = new ArrayList<>();
        List<Worker> shielded = new ArrayList<>();
        call.eachWorker(worker -> {
            if (!worker.hasLeft()) {
                (worker.isShielded() ? shielded : stuck).add(worker);
            }
        });
        if (stuck.isEmpty() && !shielded.isEmpty()) {
            if (!shieldTold) {
                shieldTold = true;
                call.runtime.listener().shielded(call, stackOf(shielded));
            }
            at(CallFacts.now() + LOOK_AGAIN.toNanos(), this::report); // it may get stuck once it has left the shield
        } else {
            call.runtime.listener().stuck(call, stackOf(stuck));
        }
    }

    private static List<StackTraceElement> stackOf(List<Worker> workers) {
        return workers.stream()
                .map(Worker::stack)
                .filter(frames -> frames.length > 0)
                .findFirst()
                .map(frames -> List.of(frames).subList(0, Math.min(STACK_TOP, frames.length)))
                .orElse(List.of());
    }

    static void step(String what, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            Log.log(Level.WARNING, "a step of a call's end failed: " + what, e);
        }
    }

    static <T> void each(List<T> things, String what, Consumer<T> action) {
        for (T thing : things) {
            step(what, () -> action.accept(thing));
        }
    }
}
