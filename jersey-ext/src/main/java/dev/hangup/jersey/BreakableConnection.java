package dev.hangup.jersey;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What Jersey's default connector takes for a connection of the JDK's: one request and its answer, over {@code java.net.http}, that
 * can be broken off from another thread. One thread works with it.
 *
 * <p>The JDK's own {@code HttpURLConnection.disconnect()} is no way to break an exchange off: it waits for whoever is reading the
 * body; and an exchange that ends just then has given its socket to the JDK's keep-alive cache already, from where another exchange
 * may have taken it, which is then the one that is closed (its source says so, and calls itself an approximation).
 */
final class BreakableConnection extends HttpURLConnection {
    /** The client's own to say; the JDK's connections ignore them, too. */
    private static final Set<String> RESERVED = Set.of("connection", "content-length", "expect", "host", "upgrade");

    private final Connections.Clients clients;
    private final Leg leg;
    private final Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private @Nullable OutputStream body;
    private @Nullable CompletableFuture<HttpResponse<ReceivedBody>> answer;

    BreakableConnection(URL url, Connections.Clients clients, Leg leg) {
        super(url);
        this.clients = clients;
        this.leg = leg;
    }

    // ---- the request

    /** Any method, PATCH too. */
    @Override
    public void setRequestMethod(String name) {
        method = name;
    }

    @Override
    public void setRequestProperty(String name, String value) {
        fields.put(name, List.of(value));
    }

    @Override
    public void addRequestProperty(String name, String value) {
        fields.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
    }

    @Override
    public @Nullable String getRequestProperty(String name) {
        List<String> values = fields.get(name);
        return values == null ? null : values.get(0);
    }

    @Override
    public Map<String, List<String>> getRequestProperties() {
        return Map.copyOf(fields);
    }

    /** Where the body goes: into the request as it is written, if its length is known or it is chunked; else it is kept until it is whole. */
    @Override
    public OutputStream getOutputStream() throws IOException {
        OutputStream begun = body;
        if (begun == null) {
            begun = fixedContentLengthLong >= 0 || fixedContentLength >= 0 || chunkLength > 0
                    ? streamed()
                    : new KeptBody();
            body = begun;
        }
        return begun;
    }

    private static final class KeptBody extends ByteArrayOutputStream {
        private boolean whole;

        @Override
        public void close() {
            whole = true;
        }
    }

    private OutputStream streamed() throws IOException {
        long length = Math.max(fixedContentLengthLong, fixedContentLength);
        SentBody sent = new SentBody(leg, length > 0 ? length : -1);
        CompletableFuture<?> unused = send(sent)
                .whenComplete((answered, failure) ->
                        sent.stop()); // or whoever writes would wait for a reader that never comes
        return sent;
    }

    private CompletableFuture<HttpResponse<ReceivedBody>> send(BodyPublisher publisher) throws IOException {
        leg.begin();
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(url.toURI()).method(method, publisher);
            fields.forEach((name, values) -> {
                if (name.equalsIgnoreCase("expect")) {
                    request.expectContinue(true);
                } else if (!RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
                    values.forEach(value -> request.header(name, value));
                }
            });
            CompletableFuture<HttpResponse<ReceivedBody>> sent = Dispatch.send(
                    clients.of(leg.own().connectMillis()), request.build(), leg, getInstanceFollowRedirects());
            answer = sent;
            return sent;
        } catch (URISyntaxException | IllegalArgumentException e) {
            leg.over();
            throw new IOException(e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            leg.over();
            throw e;
        }
    }

    @Override
    public void connect() throws IOException {
        if (answer == null) {
            CompletableFuture<?> unused = send(
                    body instanceof KeptBody whole
                            ? BodyPublishers.ofByteArray(whole.toByteArray())
                            : BodyPublishers.noBody());
        }
        connected = true;
    }

    // ---- the answer

    private HttpResponse<ReceivedBody> answer() throws IOException {
        connect();
        CompletableFuture<HttpResponse<ReceivedBody>> waited = answer;
        if (waited == null) {
            throw new IllegalStateException("nothing was sent");
        }
        try {
            int millis = leg.own().readMillis();
            HttpResponse<ReceivedBody> given = millis == 0 ? waited.get() : waited.get(millis, TimeUnit.MILLISECONDS);
            given.body().patience(millis);
            return given;
        } catch (InterruptedException e) {
            leg.interrupted();
        } catch (TimeoutException e) {
            leg.stop(leg.late(new SocketTimeoutException("Read timed out")));
        } catch (CancellationException | ExecutionException e) {
            leg.over();
            leg.check();
            throw failed(e);
        }
        leg.check();
        throw new IOException("the request was broken off");
    }

    private static IOException failed(Exception failure) {
        Throwable cause =
                failure instanceof ExecutionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof HttpConnectTimeoutException) {
            SocketTimeoutException late = new SocketTimeoutException("Connect timed out");
            late.initCause(cause);
            return late;
        }
        return cause instanceof IOException io ? io : new IOException(cause);
    }

    /** None, if whoever wrote the request's body failed in the midst of it: then that is what the request fails with, and no half of it is taken for the whole. */
    @Override
    public int getResponseCode() throws IOException {
        if ((body instanceof SentBody sent && sent.isCutShort()) || (body instanceof KeptBody kept && !kept.whole)) {
            leg.check();
            leg.stop(new IOException("the request's body was not written to its end"));
            return -1;
        }
        return answer().statusCode();
    }

    /** Not told by the client; the status stands for it. */
    @Override
    public @Nullable String getResponseMessage() {
        return null;
    }

    /** Where the answer is from: the redirects that led there are followed. */
    @Override
    public URL getURL() {
        CompletableFuture<HttpResponse<ReceivedBody>> given = answer;
        try {
            return given != null && given.isDone() && !given.isCompletedExceptionally()
                    ? given.join().uri().toURL()
                    : url;
        } catch (IOException notAUrl) {
            return url;
        }
    }

    @Override
    public Map<String, List<String>> getHeaderFields() {
        try {
            return answer().headers().map();
        } catch (IOException noAnswer) {
            return Map.of();
        }
    }

    @Override
    public @Nullable String getHeaderField(String name) {
        return getHeaderFields().entrySet().stream()
                .filter(field -> field.getKey().equalsIgnoreCase(name))
                .map(field -> field.getValue().get(field.getValue().size() - 1))
                .findFirst()
                .orElse(null);
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return answer().body();
    }

    @Override
    public @Nullable InputStream getErrorStream() {
        try {
            return answer().body();
        } catch (IOException noAnswer) {
            return null;
        }
    }

    @Override
    public boolean usingProxy() {
        return clients.hasProxy();
    }

    @Override
    public void disconnect() {
        leg.stop(new IOException("disconnected"));
    }
}
