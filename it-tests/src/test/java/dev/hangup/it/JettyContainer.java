package dev.hangup.it;

import org.eclipse.jetty.ee.webapp.WebAppClassLoader;
import org.eclipse.jetty.ee11.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.webapp.WebAppContext;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.CustomRequestLog;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty, embedded, with its defaults except for the address, the number of threads and a long accept queue. */
final class JettyContainer implements Container {

    private static final int ACCEPTORS = 1;
    private static final int SELECTORS = 1;

    private final Server server;
    private final ServerConnector connector;
    private final QueuedThreadPool threads;

    private JettyContainer(int maxThreads, Wire wire) {
        threads = new QueuedThreadPool(maxThreads + ACCEPTORS + SELECTORS);
        threads.setName("jetty");
        // A reserved thread may or may not take a request, and tests count on exactly maxThreads.
        threads.setReservedThreads(0);
        server = new Server(threads);
        connector = new ServerConnector(server, ACCEPTORS, SELECTORS, protocols(wire));
        connector.setHost("127.0.0.1");
        connector.setAcceptQueueSize(1024);
        server.addConnector(connector);
    }

    static Container start(Site site) {
        ServletContextHandler handler = new ServletContextHandler("/");
        handler.addServletContainerInitializer((classes, context) -> site.applyTo(context));
        ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
        site.errorPages().forEach(errors::addErrorPage);
        handler.setErrorHandler(errors);
        JettyContainer container = new JettyContainer(site.maxThreads(), site.wire());
        if (site.hasVirtualThreads()) {
            container.threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
        }
        container.server.setRequestLog(new CustomRequestLog(site.accessLog()::add, "%m %U %s"));
        return container.serve(handler);
    }

    private static ConnectionFactory[] protocols(Wire wire) {
        return switch (wire) {
            case PLAIN -> new ConnectionFactory[] {new HttpConnectionFactory()};
            case TLS -> {
                SslContextFactory.Server tls = new SslContextFactory.Server();
                tls.setKeyStorePath(Wire.keyStore().toString());
                tls.setKeyStorePassword(Wire.PASSWORD);
                HttpConfiguration secure = new HttpConfiguration();
                secure.addCustomizer(new SecureRequestCustomizer(false));
                yield new ConnectionFactory[] {
                    new SslConnectionFactory(tls, "http/1.1"), new HttpConnectionFactory(secure)
                };
            }
            case NIO2, H2C -> throw new IllegalArgumentException("not in these tests: Jetty over " + wire);
        };
    }

    static Container deploy(War war, int maxThreads) {
        WebAppContext handler = new WebAppContext();
        handler.setContextPath("/");
        handler.setWar(war.directory().toString());
        handler.setThrowUnavailableOnStartupException(true);
        handler.setClassLoader(new WebAppClassLoader(new WithoutHangup(), handler));
        return new JettyContainer(maxThreads, Wire.PLAIN).serve(handler);
    }

    private Container serve(Handler handler) {
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
}
