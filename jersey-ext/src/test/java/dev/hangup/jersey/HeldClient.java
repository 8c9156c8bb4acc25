package dev.hangup.jersey;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * A client that stops short of telling that an answer is at its end: its connection is kept by then, for whoever comes next. It goes on
 * when it is let go.
 */
final class HeldClient extends HttpClient {
    /** Counted down when an answer is at its end. */
    final CountDownLatch atTheEnd = new CountDownLatch(1);

    private final CompletableFuture<Void> letGo = new CompletableFuture<>();
    private final HttpClient client;

    HeldClient(HttpClient client) {
        this.client = client;
    }

    void letGo() {
        letGo.complete(null);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        return client.sendAsync(request, head -> held(handler.apply(head)));
    }

    private <T> BodySubscriber<T> held(BodySubscriber<T> subscriber) {
        return new BodySubscriber<>() {
            @Override
            public CompletionStage<T> getBody() {
                return letGo.thenCompose(over -> subscriber.getBody());
            }

            @Override
            public void onSubscribe(Flow.Subscription given) {
                subscriber.onSubscribe(given);
            }

            @Override
            public void onNext(List<ByteBuffer> piece) {
                subscriber.onNext(piece);
            }

            @Override
            public void onError(Throwable failure) {
                subscriber.onError(failure);
            }

            @Override
            public void onComplete() {
                atTheEnd.countDown();
                letGo.join();
                subscriber.onComplete();
            }
        };
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
        return sendAsync(request, handler);
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        return client.send(request, handler);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }
}
