package dev.hangup.call;

import java.util.concurrent.Callable;

/** Tasks that carry a call to the thread that runs them. */
final class Carried {
    private Carried() {}

    /** A task that is not started returns at once: an executor that only takes Runnables has nobody to tell. */
    static Runnable of(CallScope call, Runnable task) {
        return () -> {
            call.attach();
            try {
                // After attaching: a cancel either sees this worker, or is seen here.
                if (!call.isCancelled()) {
                    task.run();
                }
            } finally {
                call.leave();
            }
        };
    }

    static <T> Callable<T> of(CallScope call, Callable<T> task) {
        return () -> {
            call.attach();
            try {
                call.throwIfCancelled();
                return task.call();
            } finally {
                call.leave();
            }
        };
    }
}
