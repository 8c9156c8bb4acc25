package dev.hangup.it;

import java.time.Duration;
import java.util.Locale;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.RateControl;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.CustomRequestLog;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty, embedded, with its defaults except for the address, the number of threads and a long accept queue. */
final class JettyContainer implements Host {

    private static final int ACCEPTORS = 1;
    private static final int SELECTORS = 1;
    private static final JettyLine LINE = JettyLine.present();

    private final Server server;
    private final ServerConnector connector;
    private final QueuedThreadPool threads;

    private JettyContainer(int maxThreads, ConnectionFactory... protocols) {
        threads = new QueuedThreadPool(maxThreads + ACCEPTORS + SELECTORS);
        threads.setName("jetty");
        // A reserved thread may or may not take a request, and tests count on exactly maxThreads.
        threads.setReservedThreads(0);
        server = new Server(threads);
        connector = new ServerConnector(server, ACCEPTORS, SELECTORS, protocols);
        connector.setHost("127.0.0.1");
        connector.setAcceptQueueSize(1024);
        server.addConnector(connector);
    }

    static Container start(Site site) {
        JettyContainer container =
                new JettyContainer(site.maxThreads(), protocols(site.wire(), site.areRemoteErrorsTold()));
        container.connector.setHost(site.address());
        if (site.hasVirtualThreads()) {
            container.threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
        }
        Duration idle = site.idleTimeout();
        if (idle != null) {
            container.connector.setIdleTimeout(idle.toMillis());
        }
        if (site.isForwardedBelieved()) {
            for (ConnectionFactory protocol : container.connector.getConnectionFactories()) {
                if (protocol instanceof HttpConfiguration.ConnectionFactory http) {
                    http.getHttpConfiguration().addCustomizer(new ForwardedRequestCustomizer());
                }
            }
        }
        if (site.areAmbiguousPathsLetIn()) {
            container
                    .connector
                    .getConnectionFactory(HttpConnectionFactory.class)
                    .getHttpConfiguration()
                    .setUriCompliance(UriCompliance.UNSAFE);
        }
        if (site.areResetsUnlimited()) {
            Unlimited.apply(container.connector);
        }
        container.server.setRequestLog(new CustomRequestLog(site.accessLog()::add, "%m %U %s"));
        return container.serve(LINE.embedded(site));
    }

    private static ConnectionFactory[] protocols(Wire wire, boolean remoteErrorsTold) {
        HttpConfiguration plain = new HttpConfiguration();
        plain.setNotifyRemoteAsyncErrors(remoteErrorsTold);
        HttpConfiguration secure = new HttpConfiguration(plain);
        secure.addCustomizer(new SecureRequestCustomizer(false));
        return switch (wire) {
            case PLAIN -> new ConnectionFactory[] {new HttpConnectionFactory(plain)};
            case TLS, TLS_12 ->
                new ConnectionFactory[] {new SslConnectionFactory(tls(), "http/1.1"), new HttpConnectionFactory(secure)
                };
            case H2C ->
                new ConnectionFactory[] {new HttpConnectionFactory(plain), new HTTP2CServerConnectionFactory(plain)};
            case H2 -> {
                ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
                alpn.setDefaultProtocol("http/1.1");
                yield new ConnectionFactory[] {
                    new SslConnectionFactory(tls(), "alpn"),
                    alpn,
                    new HTTP2ServerConnectionFactory(secure),
                    new HttpConnectionFactory(secure)
                };
            }
            case NIO2, NIO2_TLS, AJP -> throw new IllegalArgumentException("not on Jetty: " + wire);
        };
    }

    private static SslContextFactory.Server tls() {
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStorePath(Wire.keyStore().toString());
        tls.setKeyStorePassword(Wire.PASSWORD);
        return tls;
    }

    static Container deploy(War war, int maxThreads, Wire wire) {
        return new JettyContainer(maxThreads, protocols(wire, true)).serve(application(war, "/"));
    }

    private static ContextHandler application(War war, String path) {
        return LINE.webApp(war.directory(), path, new WithoutHangup());
    }

    static Host host(int maxThreads) {
        return new JettyContainer(maxThreads, protocols(Wire.PLAIN, true)).serve(new ContextHandlerCollection());
    }

    @Override
    public Deployment deploy(War war, String path) {
        ContextHandlerCollection contexts = (ContextHandlerCollection) server.getHandler();
        ContextHandler application = application(war, path);
        try {
            contexts.addHandler(application);
            application.start();
        } catch (Exception e) {
            throw new IllegalStateException("Jetty does not start: " + e.getMessage(), e);
        }
        return () -> {
            try {
                application.stop();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            contexts.removeHandler(application);
            application.destroy();
        };
    }

    private JettyContainer serve(Handler handler) {
        server.setHandler(handler);
        try {
            server.start();
        } catch (Exception e) {
            close();
            throw new IllegalStateException("Jetty does not start: " + e.getMessage(), e);
        }
        return this;
    }

    @Override
    public String version() {
        return Server.getVersion() + " " + LINE.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public int busyWorkers() {
        return threads.getUtilizedThreads();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("Jetty does not stop: " + e.getMessage(), e);
        }
    }

    /** Of its own, because Jetty 12.0 does not have it there. */
    private static final class Unlimited implements RateControl.Factory {

        static void apply(ServerConnector connector) {
            for (ConnectionFactory factory : connector.getConnectionFactories()) {
                if (factory instanceof AbstractHTTP2ServerConnectionFactory http2) {
                    http2.setRateControlFactory(new Unlimited());
                }
            }
        }
    }
}
