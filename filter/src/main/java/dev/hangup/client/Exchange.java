package dev.hangup.client;

import dev.hangup.call.CallCancelledException;
import dev.hangup.call.CallScope;
import dev.hangup.call.Errand;
import dev.hangup.policy.Allotment;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One request downstream, from its begin to the end of its answer's body, and whatever stops it before: the call's cancel, the
 * timeout, or whoever waits for it. The request is broken off then, and so is a body that is under way.
 *
 * <p>Race: a stop and a body that has just begun. Each publishes itself, then looks at the other.
 */
final class Exchange<T> {
    private final Errand errand;
    private final Allotment allotted;
    private final CompletableFuture<HttpResponse<T>> result = new CompletableFuture<>();
    /** Written by the thread that sends. */
    private volatile @Nullable CompletableFuture<HttpResponse<T>> sent;
    /** Written by the client's thread that has the answer's head. */
    private volatile @Nullable StoppableBody<T> body;

    Exchange(@Nullable CallScope call, Allotment allotted) {
        this.errand = new Errand(call);
        this.allotted = allotted;
    }

    CompletableFuture<HttpResponse<T>> result() {
        return result;
    }

    void send(HttpClient client, HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
        errand.begin();
        if (allotted.isNothing()) {
            errand.stop(allotted.timedOut());
        }
        if (errand.reason() == null) {
            if (allotted.budget() != null) {
                errand.limit(allotted.budget().timeout(), allotted::timedOut);
            }
            CompletableFuture<HttpResponse<T>> running;
            try {
                running = client.sendAsync(request, stoppable(handler), pushes);
            } catch (RuntimeException | Error e) {
                errand.over(); // a request that the client does not take, which nobody would end
                throw e;
            }
            sent = running;
            CompletableFuture<?> unused = running.whenComplete(this::answered);
            unused = result.whenComplete((response, failure) -> {
                if (result.isCancelled()) {
                    errand.stop(new CancellationException());
                }
            });
        }
        errand.running(this::breakOff);
    }

    private BodyHandler<T> stoppable(BodyHandler<T> handler) {
        return head -> {
            StoppableBody<T> begun = new StoppableBody<>(handler.apply(head), this);
            body = begun;
            return begun;
        };
    }

    private void answered(@Nullable HttpResponse<T> response, @Nullable Throwable failure) {
        Throwable why = errand.reason();
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
        errand.over();
    }

    /** Why it was stopped; null if it was not. */
    @Nullable
    Exception reason() {
        return errand.reason();
    }

    private void breakOff() {
        CompletableFuture<HttpResponse<T>> running = sent;
        if (running != null) {
            running.cancel(true);
        }
        StoppableBody<T> begun = body;
        Exception why = errand.reason();
        if (begun != null && why != null) {
            begun.fail(why);
        }
        if (why != null) {
            result.completeExceptionally(why);
        }
    }

    /** The answer, on the thread that sent the request. */
    HttpResponse<T> await() throws IOException, InterruptedException {
        try {
            return result.get();
        } catch (InterruptedException e) {
            errand.stop(e);
            errand.throwIfCancelled(); // it is what the interrupt was for
            throw e;
        } catch (CancellationException | ExecutionException e) {
            Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            if (cause instanceof CallCancelledException) {
                errand.throwIfCancelled();
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
}
