package dev.hangup;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * How calls end when the application stops: whoever works for nobody is cancelled at once, whoever is waited for may go on for a
 * while, and is cancelled then. Only where the endpoint cancels: all else is left to the container.
 */
final class Drain {
    private static final long PAUSE = Duration.ofMillis(10).toNanos();
    /** For cancelled work to unwind, as long as somebody can still be interrupted once more. */
    private static final Duration UNWINDING = Duration.ofSeconds(1);

    private final Supplier<List<CallScope>> alive;

    /** @param alive the calls that have not ended, asked anew each time */
    Drain(Supplier<List<CallScope>> alive) {
        this.alive = alive;
    }

    /** Returns when all calls have ended that are to be cancelled, or a second after {@code patience}. Not on the watcher thread. */
    void run(Duration patience) {
        for (CallScope call : ours()) {
            if (call.isUnowned()) {
                call.cancel(CancelReason.SHUTDOWN);
            }
        }
        if (!awaitEnd(patience)) {
            ours().forEach(call -> call.cancel(CancelReason.SHUTDOWN));
            awaitEnd(UNWINDING);
        }
    }

    private boolean awaitEnd(Duration patience) {
        long until = System.nanoTime() + patience.toNanos();
        while (!ours().isEmpty()) {
            if (System.nanoTime() - until > 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(PAUSE);
        }
        return true;
    }

    /** Without the one that stops the application, if a call does. */
    private List<CallScope> ours() {
        CallScope own = CallScope.current();
        return alive.get().stream()
                .filter(call -> call != own && call.treatment().cancels())
                .toList();
    }
}
