package dev.hangup.jersey;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A request that has been given to the client, until its answer's head is here.
 *
 * <pre>
 *   WAITING   --head--> RECEIVING     from here on the body is what can be stopped
 *   WAITING   --head--> FOLLOWING     the answer is elsewhere; what can be stopped is the body of this one
 *   FOLLOWING --asked-> WAITING       the next exchange
 *   WAITING   --stop--> STOPPED       the exchange is cancelled, and so is a body that comes all the same
 *   FOLLOWING --stop--> STOPPED       nobody else is asked
 * </pre>
 *
 * Race: a stop and the head of an answer without a body, after which the client keeps the connection for others. Whoever moves the
 * state first decides; an exchange that is stopped has its connection closed before the client could keep it, and none is
 * cancelled any more whose head was read.
 */
final class Dispatch {
    private enum Phase {
        WAITING,
        FOLLOWING,
        RECEIVING,
        STOPPED
    }

    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    /** As the JDK's own connections do. */
    private static final int MOST_REDIRECTS = 20;

    private final HttpClient client;
    private final Leg leg;
    private final boolean followsRedirects;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);
    private final CompletableFuture<HttpResponse<ReceivedBody>> answer = new CompletableFuture<>();
    private volatile @Nullable CompletableFuture<HttpResponse<ReceivedBody>> exchange;
    private volatile @Nullable ReceivedBody body;
    /** The client's, whose threads come one after the other. */
    private int redirects;

    private Dispatch(HttpClient client, Leg leg, boolean followsRedirects) {
        this.client = client;
        this.leg = leg;
        this.followsRedirects = followsRedirects;
    }

    /** Sends it; the answer fails with an IOException. */
    static CompletableFuture<HttpResponse<ReceivedBody>> send(
            HttpClient client, HttpRequest request, Leg leg, boolean followsRedirects) {
        Dispatch dispatch = new Dispatch(client, leg, followsRedirects);
        dispatch.ask(request);
        leg.running(dispatch::stop);
        return dispatch.answer;
    }

    private void ask(HttpRequest request) {
        Hop hop = new Hop(request);
        CompletableFuture<HttpResponse<ReceivedBody>> running = client.sendAsync(request, hop);
        exchange = running;
        if (phase.get() == Phase.STOPPED) {
            running.cancel(true); // while it was begun
        }
        CompletableFuture<?> unused = running.whenComplete(hop::answered);
    }

    private void stop() {
        CompletableFuture<HttpResponse<ReceivedBody>> running = exchange;
        if (running != null && phase.compareAndSet(Phase.WAITING, Phase.STOPPED)) {
            running.cancel(true);
        } else {
            phase.compareAndSet(Phase.FOLLOWING, Phase.STOPPED);
        }
        ReceivedBody begun = body;
        if (begun != null) {
            begun.stop();
        }
    }

    /** One exchange: the request's, or that of a redirect. */
    private final class Hop implements BodyHandler<ReceivedBody> {
        private final HttpRequest request;
        private @Nullable URI target;

        Hop(HttpRequest request) {
            this.request = request;
        }

        @Override
        public BodySubscriber<ReceivedBody> apply(ResponseInfo head) {
            URI elsewhere = followsRedirects && redirects < MOST_REDIRECTS ? Redirects.target(request, head) : null;
            target = elsewhere;
            ReceivedBody begun = elsewhere == null
                    ? new ReceivedBody(leg, length(head), leg::over)
                    : new ReceivedBody(leg, length(head), () -> {});
            body = begun;
            if (!phase.compareAndSet(Phase.WAITING, elsewhere == null ? Phase.RECEIVING : Phase.FOLLOWING)) {
                begun.stop();
            }
            return begun;
        }

        private long length(ResponseInfo head) {
            int status = head.statusCode();
            return request.method().equals("HEAD") || status == NO_CONTENT || status == NOT_MODIFIED
                    ? 0
                    : head.headers().firstValueAsLong("content-length").orElse(-1);
        }

        void answered(@Nullable HttpResponse<ReceivedBody> given, @Nullable Throwable failure) {
            URI elsewhere = target;
            if (failure != null || given == null) {
                answer.completeExceptionally(failure == null ? new IOException("no answer") : failure);
            } else if (elsewhere == null) {
                answer.complete(given);
            } else {
                follow(elsewhere, given);
            }
        }

        private void follow(URI elsewhere, HttpResponse<ReceivedBody> given) {
            given.body().close();
            redirects++;
            try {
                HttpRequest next = Redirects.request(elsewhere, request, given.statusCode());
                if (phase.compareAndSet(Phase.FOLLOWING, Phase.WAITING)) {
                    ask(next);
                } else {
                    answer.completeExceptionally(new CancellationException());
                }
            } catch (IOException | RuntimeException e) {
                answer.completeExceptionally(e);
            }
        }
    }
}
