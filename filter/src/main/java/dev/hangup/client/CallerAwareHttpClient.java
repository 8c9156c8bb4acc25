package dev.hangup.client;

import dev.hangup.call.Call;
import dev.hangup.call.CallScope;
import dev.hangup.policy.Allotment;
import dev.hangup.policy.DeadlineHeader;
import dev.hangup.policy.DeadlineHeaders;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Source;
import dev.hangup.policy.SourceTimeoutException;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * A client whose requests belong to the call that sends them:
 *
 * <pre>{@code
 * HttpClient client = CallerAwareHttpClient.wrap(HttpClient.newHttpClient(), hangup::policy)
 *         .withDeadlineHeader("x-request-timeout-ms");
 * }</pre>
 *
 * <ul>
 *   <li>Each request, its answer's body included, has the timeout of its source in the window in force, found by its host, or what is
 *       left of the current call's deadline if that is less; then it fails with a {@link SourceTimeoutException}.
 *   <li>When the call is cancelled the request is broken off at once, and fails with a
 *       {@link dev.hangup.call.CallCancelledException}.
 *   <li>The time that it has is passed on as a header, if one is named.
 * </ul>
 *
 * Outside of a call only the source's timeout counts. A timeout of the request's own holds besides. A body that is read after the
 * response has been given (an {@code InputStream}) is under the same time. Thread-safe; the wrapped client is the application's to close.
 */
public final class CallerAwareHttpClient extends HttpClient {
    private final HttpClient delegate;
    private final Supplier<Policy> policy;
    private final @Nullable DeadlineHeader header;

    private CallerAwareHttpClient(HttpClient delegate, Supplier<Policy> policy, @Nullable DeadlineHeader header) {
        this.delegate = delegate;
        this.policy = policy;
        this.header = header;
    }

    /**
     * A client that asks this policy how long each request may take.
     *
     * @param policy asked for each request, so that a reloaded one counts: {@code hangup::policy}
     */
    public static CallerAwareHttpClient wrap(HttpClient delegate, Supplier<Policy> policy) {
        return new CallerAwareHttpClient(delegate, policy, null);
    }

    /**
     * This client, passing the time that a request has on to whoever is asked, in place of what the request says itself.
     *
     * @param name as in a policy: {@code x-request-timeout-ms}, {@code grpc-timeout}
     * @throws IllegalArgumentException if there is no such header
     */
    public CallerAwareHttpClient withDeadlineHeader(String name) {
        return new CallerAwareHttpClient(delegate, policy, DeadlineHeaders.named(name));
    }

    /**
     * {@inheritDoc}
     *
     * @throws SourceTimeoutException if the source has not answered in time
     * @throws dev.hangup.call.CallCancelledException if the current call is cancelled, before or meanwhile
     */
    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        return begin(request, handler, null).await();
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        return sendAsync(request, handler, null);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
        return begin(request, handler, pushes).result();
    }

    private <T> Exchange<T> begin(HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
        Allotment allotted =
                Allotment.of(policy.get(), request.uri(), Call.current().deadline());
        Exchange<T> exchange = new Exchange<>(CallScope.current(), allotted);
        exchange.send(delegate, told(request, allotted.budget()), handler, pushes);
        return exchange;
    }

    /** The request with the time that it has, in place of what it says of that itself; its other preferences stay. */
    private HttpRequest told(HttpRequest request, Source.@Nullable Budget budget) {
        if (header == null || budget == null || budget.timeout().isZero()) {
            return request;
        }
        String field = header.field();
        HttpRequest.Builder told = HttpRequest.newBuilder(request, (name, value) -> !name.equalsIgnoreCase(field));
        DeadlineHeaders.told(header, request.headers().allValues(field), budget.timeout())
                .forEach(line -> told.header(field, line));
        return told.build();
    }

    // ---- the wrapped client's

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return delegate.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return delegate.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return delegate.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return delegate.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return delegate.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return delegate.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return delegate.authenticator();
    }

    @Override
    public Version version() {
        return delegate.version();
    }

    @Override
    public Optional<Executor> executor() {
        return delegate.executor();
    }

    /** Without a deadline: a socket that stays open is nobody's request. */
    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return delegate.newWebSocketBuilder();
    }
}
