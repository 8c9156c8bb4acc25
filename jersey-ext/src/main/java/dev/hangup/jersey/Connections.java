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

    private static final ThreadLocal<@Nullable Leg> CURRENT = new ThreadLocal<>();

    private final Supplier<SSLContext> tls;
    private final Map<Settings, HttpClient> clients = new LinkedHashMap<>(MOST_CLIENTS, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Settings, HttpClient> eldest) {
            return size() > MOST_CLIENTS;
        }
    };

    private record Settings(
            boolean isSecure,
            int connectMillis,
            @Nullable Proxy proxy) {}

    Connections(Supplier<SSLContext> tls) {
        this.tls = tls;
    }

    /** Whose connections this thread asks for from now on; returns whose they were. */
    static @Nullable Leg enter(@Nullable Leg leg) {
        Leg outer = CURRENT.get();
        if (leg == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(leg);
        }
        return outer;
    }

    @Override
    public HttpURLConnection getConnection(URL url) throws IOException {
        return getConnection(url, null);
    }

    @Override
    public HttpURLConnection getConnection(URL url, @Nullable Proxy proxy) throws IOException {
        Leg leg = CURRENT.get();
        if (leg == null) {
            throw new IllegalStateException("asked for by another connector than ours");
        }
        leg.check();
        return new BreakableConnection(url, new Clients(proxy), leg);
    }

    /** The HTTP client for a connection, once its settings are known. */
    final class Clients {
        private final @Nullable Proxy proxy;

        private Clients(@Nullable Proxy proxy) {
            this.proxy = proxy;
        }

        boolean hasProxy() {
            return proxy != null;
        }

        HttpClient of(HttpURLConnection connection, int connectMillis) {
            Settings settings = new Settings(
                    "https".equalsIgnoreCase(connection.getURL().getProtocol()),
                    connectMillis,
                    proxy);
            synchronized (clients) {
                return clients.computeIfAbsent(settings, Connections.this::client);
            }
        }
    }

    private HttpClient client(Settings settings) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(Version.HTTP_1_1)
                .followRedirects(Redirect.NEVER);
        if (settings.isSecure()) {
            builder.sslContext(tls.get());
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
