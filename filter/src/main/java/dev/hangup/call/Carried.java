package dev.hangup.call;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture.AsynchronousCompletionTask;
import java.util.concurrent.Future;

/** Tasks that carry a call to the thread that runs them. Attaching comes first: a cancel either sees the worker, or is seen here. */
final class Carried {
    private Carried() {}

    static Runnable of(CallWork call, Runnable task) {
        Objects.requireNonNull(task, "task");
        return () -> {
            call.attach();
            try {
                if (!call.isCancelled() || task instanceof AsynchronousCompletionTask) {
                    task.run();
                } else if (task instanceof Future<?> future) {
                    future.cancel(false); // somebody may wait for it
                }
            } finally {
                call.leave();
            }
        };
    }

    static <T> Callable<T> of(CallWork call, Callable<T> task) {
        Objects.requireNonNull(task, "task");
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
