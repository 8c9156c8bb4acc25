package dev.hangup.client;

import dev.hangup.call.CallCancelledException;
import dev.hangup.call.CallResource;
import dev.hangup.call.CallScope;
import dev.hangup.policy.Allotment;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One request downstream, from its begin to the end of its answer's body, and whatever stops it before: the call's cancel, the
 * timeout, or whoever waits for it. The first of them is the reason; the request is broken off, and so is a body that is under way.
 *
 * <p>Race: a stop and a body that has just begun. Each publishes itself, then looks at the other.
 */
final class Exchange<T> implements CallResource {
    private final @Nullable CallScope call;
    private final Allotment allotted;
    private final CompletableFuture<HttpResponse<T>> result = new CompletableFuture<>();
    /** Ends the timer when it is completed. */
    private final CompletableFuture<Void> timer = new CompletableFuture<>();

    private final AtomicReference<@Nullable Throwable> reason = new AtomicReference<>();
    private volatile @Nullable CompletableFuture<HttpResponse<T>> sent;
    private volatile @Nullable StoppableBody<T> body;

    Exchange(@Nullable CallScope call, Allotment allotted) {
        this.call = call;
        this.allotted = allotted;
    }

    CompletableFuture<HttpResponse<T>> result() {
        return result;
    }

    void send(HttpClient client, HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
        if (call != null) {
            call.add(this); // refused at once if it stands cancelled
        }
        if (reason.get() == null && allotted.isNothing()) {
            reason.compareAndSet(null, allotted.timedOut());
        }
        if (reason.get() != null) {
            stop();
            return;
        }
        startTimer(client.executor().orElse(ForkJoinPool.commonPool()));
        CompletableFuture<HttpResponse<T>> running = client.sendAsync(request, stoppable(handler), pushes);
        sent = running;
        if (reason.get() != null) {
            stop(); // it came before there was anything to stop
        }
        CompletableFuture<?> unused = running.whenComplete(this::answered);
        unused = result.whenComplete((response, failure) -> {
            if (result.isCancelled()) {
                stop(new CancellationException());
            }
        });
    }

    private BodyHandler<T> stoppable(BodyHandler<T> handler) {
        return head -> {
            StoppableBody<T> begun = new StoppableBody<>(handler.apply(head), this);
            body = begun;
            return begun;
        };
    }

    private void startTimer(Executor executor) {
        if (allotted.budget() != null) {
            Duration timeout = allotted.budget().timeout();
            CompletableFuture<?> unused = timer.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                    .whenCompleteAsync(
                            (over, late) -> {
                                if (late != null) {
                                    stop(allotted.timedOut());
                                }
                            },
                            executor);
        }
    }

    private void answered(@Nullable HttpResponse<T> response, @Nullable Throwable failure) {
        Throwable why = reason.get();
        StoppableBody<T> begun = body;
        if (failure != null || begun == null || begun.isOver()) {
            over();
        }
        if (failure == null && response != null) {
            result.complete(response);
        } else {
            result.completeExceptionally(why != null ? why : unwrapped(failure));
        }
    }

    private static Throwable unwrapped(@Nullable Throwable failure) {
        if (failure == null) {
            return new IllegalStateException("neither an answer nor a failure");
        }
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Nothing is left to be stopped. */
    void over() {
        timer.complete(null);
        if (call != null) {
            call.remove(this);
        }
    }

    /** Why it was stopped; null if it was not. */
    @Nullable
    Throwable reason() {
        return reason.get();
    }

    private void stop(Throwable why) {
        reason.compareAndSet(null, why);
        stop();
    }

    private void stop() {
        CompletableFuture<HttpResponse<T>> running = sent;
        if (running != null) {
            running.cancel(true);
        }
        StoppableBody<T> begun = body;
        Throwable why = reason.get();
        if (begun != null && why != null) {
            begun.fail(why);
        }
        if (why != null) {
            result.completeExceptionally(why);
        }
        over();
    }

    /** The answer, on the thread that sent the request. */
    HttpResponse<T> await() throws IOException, InterruptedException {
        try {
            return result.get();
        } catch (InterruptedException e) {
            stop(e);
            if (call != null) {
                call.throwIfCancelled(); // it is what the interrupt was for
            }
            throw e;
        } catch (CancellationException | ExecutionException e) {
            Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            if (cause instanceof CallCancelledException && call != null) {
                call.throwIfCancelled(); // with this thread's stack
            }
            throw thrown(cause);
        }
    }

    private static IOException thrown(Throwable cause) {
        if (cause instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof IOException io ? io : new IOException(cause);
    }

    // ---- as a part of the call

    @Override
    public void refuse() {
        if (call != null) {
            try {
                call.throwIfCancelled();
            } catch (CallCancelledException cancelled) {
                reason.compareAndSet(null, cancelled);
            }
        }
    }

    @Override
    public void cancel() {
        stop();
    }

    @Override
    public void abort() {
        stop();
    }
}
