package dev.hangup.watch;

import dev.hangup.call.CallScope;
import java.nio.channels.NetworkChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What happens to one call at its deadline and after it. On the watcher thread.
 *
 * <p>A call that is cancelled then is ended by whoever cancels it. One that is only observed, or is spared, ends when its container
 * says so; but an asynchronous one whose container tells no listener would be kept for ever, so it is let go of when its deadline
 * and the grace are over and none of its workers is known. Nothing of the request is touched by that.
 */
final class Term {
    /** For a call with workers, whose end is theirs to tell. */
    private static final Duration AGAIN = Duration.ofMillis(500);

    private final Watcher watcher;
    private final CallScope call;
    private Timers.@Nullable Timer next;

    Term(Watcher watcher, CallScope call) {
        this.watcher = watcher;
        this.call = call;
    }

    /** Race: a deadline that is moved now. Whoever moves it writes it, then tells the connection it finds, who comes here again. */
    void begin() {
        if (!watcher.debugged() && !call.isResponseOver()) {
            at(call.deadlineAt(), this::passed);
        }
    }

    void cancel() {
        watcher.timers().cancel(next);
        next = null;
    }

    private void at(long nanoTime, Runnable step) {
        watcher.timers().cancel(next);
        next = watcher.timers().at(nanoTime, step);
    }

    /** The call is over if its container has closed the connection and taken the request back, though it may have told nobody. */
    void endIfTakenBack(NetworkChannel socket) {
        boolean[] over = new boolean[1];
        if (!socket.isOpen()
                && call.tryLook(request -> over[0] = watcher.sources().isOver(request))
                && over[0]) {
            call.responseOver();
        }
    }

    private void passed() {
        call.deadlinePassed();
        if (call.deadlineAt() - System.nanoTime() > 0) {
            begin(); // it has moved
        } else {
            after(watcher.grace());
        }
    }

    private void after(Duration pause) {
        at(System.nanoTime() + pause.toNanos(), this::letGo);
    }

    private void letGo() {
        if (call.isResponseOver()
                || call.isCancelled()
                || call.isDetached()
                || call.deadlineAt() - System.nanoTime() > 0) {
            return;
        }
        if (call.workers() > 0) {
            after(AGAIN);
        } else {
            call.responseOver();
        }
    }
}
