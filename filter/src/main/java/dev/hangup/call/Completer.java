package dev.hangup.call;

import java.util.concurrent.atomic.AtomicBoolean;

/** How a framework ends an asynchronous response of its own when the call is cancelled: once, whoever comes first. */
final class Completer {
    private final Runnable action;
    private final AtomicBoolean taken = new AtomicBoolean();

    Completer(Runnable action) {
        this.action = action;
    }

    /** True for the one thread that is to run it. */
    boolean take() {
        return taken.compareAndSet(false, true);
    }

    void run() {
        action.run();
    }
}
