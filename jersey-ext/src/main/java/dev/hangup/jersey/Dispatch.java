package dev.hangup.jersey;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A request that has been given to the client, until its answer's head is here.
 *
 * <pre>
 *   WAITING --head--> RECEIVING     from here on the body is what can be stopped
 *   WAITING --stop--> STOPPED       the exchange is cancelled, and so is a body that comes all the same
 * </pre>
 *
 * Race: a stop and the head of an answer without a body, after which the client keeps the connection for others. Whoever moves the
 * state first decides; an exchange that is stopped has its connection closed before the client could keep it, and none is
 * cancelled any more whose head was read.
 */
final class Dispatch implements BodyHandler<ReceivedBody> {
    private enum Phase {
        WAITING,
        RECEIVING,
        STOPPED
    }

    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;

    private final Leg leg;
    private final String method;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);
    private volatile @Nullable CompletableFuture<HttpResponse<ReceivedBody>> answer;
    private volatile @Nullable ReceivedBody body;

    private Dispatch(Leg leg, String method) {
        this.leg = leg;
        this.method = method;
    }

    /** Sends it; the answer fails with an IOException. */
    static CompletableFuture<HttpResponse<ReceivedBody>> send(HttpClient client, HttpRequest request, Leg leg) {
        Dispatch dispatch = new Dispatch(leg, request.method());
        CompletableFuture<HttpResponse<ReceivedBody>> answer = client.sendAsync(request, dispatch);
        dispatch.answer = answer;
        leg.running(dispatch::stop);
        return answer;
    }

    @Override
    public BodySubscriber<ReceivedBody> apply(ResponseInfo head) {
        ReceivedBody begun = new ReceivedBody(leg, length(head));
        body = begun;
        if (!phase.compareAndSet(Phase.WAITING, Phase.RECEIVING)) {
            begun.stop();
        }
        return begun;
    }

    private long length(ResponseInfo head) {
        int status = head.statusCode();
        return method.equals("HEAD") || status == NO_CONTENT || status == NOT_MODIFIED
                ? 0
                : head.headers().firstValueAsLong("content-length").orElse(-1);
    }

    private void stop() {
        CompletableFuture<HttpResponse<ReceivedBody>> running = answer;
        if (running != null && phase.compareAndSet(Phase.WAITING, Phase.STOPPED)) {
            running.cancel(true);
        }
        ReceivedBody begun = body;
        if (begun != null) {
            begun.stop();
        }
    }
}
