package dev.hangup.jersey;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.glassfish.jersey.client.HttpUrlConnectorProvider.ConnectionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Connections for one Jersey client, over as many HTTP clients as there are settings that an HTTP client has once for all its
 * requests: mostly one. They keep connections, speak HTTP/1.1 as the default connector does, and are thrown away with this.
 */
final class Connections implements ConnectionFactory {
    private static final int MOST_CLIENTS = 16;

    private static final ThreadLocal<@Nullable Asking> CURRENT = new ThreadLocal<>();

    private final Supplier<SSLContext> tls;
    private final Map<Settings, HttpClient> clients = new LinkedHashMap<>(MOST_CLIENTS, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Settings, HttpClient> eldest) {
            return size() > MOST_CLIENTS;
        }
    };

    private record Settings(
            @Nullable SSLContext tls,
            int connectMillis,
            @Nullable Proxy proxy) {}

    Connections(Supplier<SSLContext> tls) {
        this.tls = tls;
    }

    /**
     * A request that is being sent.
     *
     * @param tls the request's own; null: the client's
     */
    record Asking(Leg leg, @Nullable Supplier<SSLContext> tls) {}

    /** Whose connections this thread asks for from now on; returns whose they were. */
    static @Nullable Asking enter(@Nullable Asking asking) {
        Asking outer = CURRENT.get();
        if (asking == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(asking);
        }
        return outer;
    }

    @Override
    public HttpURLConnection getConnection(URL url) throws IOException {
        return getConnection(url, null);
    }

    @Override
    public HttpURLConnection getConnection(URL url, @Nullable Proxy proxy) throws IOException {
        Asking asking = CURRENT.get();
        if (asking == null) {
            throw new IllegalStateException("asked for by another connector than ours");
        }
        asking.leg().check();
        Supplier<SSLContext> own = asking.tls();
        SSLContext context = !"https".equalsIgnoreCase(url.getProtocol()) ? null : own == null ? tls.get() : own.get();
        return new BreakableConnection(url, new Clients(proxy, context), asking.leg());
    }

    /** The HTTP client for a connection, once its settings are known. */
    final class Clients {
        private final @Nullable Proxy proxy;
        private final @Nullable SSLContext tls;

        private Clients(@Nullable Proxy proxy, @Nullable SSLContext tls) {
            this.proxy = proxy;
            this.tls = tls;
        }

        boolean hasProxy() {
            return proxy != null;
        }

        HttpClient of(int connectMillis) {
            Settings settings = new Settings(tls, connectMillis, proxy);
            synchronized (clients) {
                return clients.computeIfAbsent(settings, Connections.this::client);
            }
        }
    }

    private HttpClient client(Settings settings) {
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(Version.HTTP_1_1).followRedirects(Redirect.NEVER);
        if (settings.tls() != null) {
            builder.sslContext(settings.tls());
        }
        if (settings.connectMillis() > 0) {
            builder.connectTimeout(Duration.ofMillis(settings.connectMillis()));
        }
        ProxySelector proxies =
                settings.proxy() != null && settings.proxy().address() instanceof InetSocketAddress address
                        ? ProxySelector.of(address)
                        : ProxySelector.getDefault();
        if (proxies != null) {
            builder.proxy(proxies);
        }
        CookieHandler cookies = CookieHandler.getDefault();
        if (cookies != null) {
            builder.cookieHandler(cookies);
        }
        Authenticator authenticator = Authenticator.getDefault();
        if (authenticator != null) {
            builder.authenticator(authenticator);
        }
        return builder.build();
    }
}
