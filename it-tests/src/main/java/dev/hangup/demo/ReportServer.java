package dev.hangup.demo;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A Jetty on the loopback interface with any number of applications, each at a path of its own. */
final class ReportServer implements AutoCloseable {
    private static final int BACKLOG = 1024;

    private final Server server;
    private final ServerConnector connector;
    private final ContextHandlerCollection applications = new ContextHandlerCollection();

    /**
     * Takes the port, but answers nothing yet.
     *
     * @throws Refusal if the port is in use
     */
    ReportServer(int port, int workers) {
        QueuedThreadPool threads = new QueuedThreadPool(workers + 8, workers / 4);
        threads.setName("demo");
        server = new Server(threads);
        connector = new ServerConnector(server, 1, 1);
        connector.setHost("localhost");
        connector.setPort(port);
        connector.setAcceptQueueSize(BACKLOG);
        server.addConnector(connector);
        server.setHandler(applications);
        try {
            connector.open();
        } catch (IOException e) {
            String reason = String.valueOf(
                    e.getCause() == null ? e.getMessage() : e.getCause().getMessage());
            String line = "-Ddemo.port=" + port + ": cannot listen there (" + reason + "); choose another port";
            throw new Refusal(Refusal.ASKED_WRONG, line, e);
        }
    }

    /** To be called before {@link #start()}. */
    void add(String path, List<Filter> filters, Map<String, HttpServlet> servlets) {
        ServletContextHandler application = new ServletContextHandler(path);
        for (Filter filter : filters) {
            FilterHolder holder = new FilterHolder(filter);
            holder.setAsyncSupported(true);
            application.addFilter(holder, "/*", EnumSet.allOf(DispatcherType.class));
        }
        servlets.forEach((pattern, servlet) -> {
            ServletHolder holder = new ServletHolder(servlet);
            holder.setAsyncSupported(true);
            application.addServlet(holder, pattern);
        });
        applications.addHandler(application);
    }

    void start() {
        try {
            server.start();
        } catch (Exception e) {
            throw new Refusal(Refusal.FAILED, "Jetty does not start: " + e.getMessage(), e);
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress("localhost", connector.getLocalPort());
    }

    String url(String path) {
        return "http://" + address().getHostString() + ":" + address().getPort() + path;
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new Refusal(Refusal.FAILED, "Jetty does not stop: " + e.getMessage(), e);
        }
    }
}
