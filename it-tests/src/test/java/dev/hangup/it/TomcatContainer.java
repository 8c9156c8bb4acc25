package dev.hangup.it;

import java.io.CharArrayWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import org.apache.catalina.Context;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Valve;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Constants;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.util.ServerInfo;
import org.apache.catalina.valves.AbstractAccessLogValve;
import org.apache.catalina.valves.RemoteIpValve;
import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.UpgradeProtocol;
import org.apache.coyote.ajp.AjpNioProtocol;
import org.apache.coyote.http11.Http11Nio2Protocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.apache.tomcat.util.http.fileupload.FileUtils;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;

/** Tomcat, embedded, with its defaults except for the address, the number of threads and a long accept queue. */
final class TomcatContainer implements Host {

    private final Path base;
    private final Tomcat tomcat = new Tomcat();
    private final AbstractProtocol<?> protocol;

    private TomcatContainer(int maxThreads, Wire wire) {
        protocol = protocol(wire);
        try {
            base = Files.createTempDirectory("tomcat");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        tomcat.setBaseDir(base.toString());
        Connector connector = new Connector(protocol);
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("acceptCount", "1024");
        connector.setProperty("maxThreads", Integer.toString(maxThreads));
        if (wire.isSecure()) {
            secure(connector);
        }
        if (wire == Wire.H2C || wire == Wire.H2) {
            connector.addUpgradeProtocol(new Http2Protocol());
        }
        tomcat.setConnector(connector);
    }

    private static AbstractProtocol<?> protocol(Wire wire) {
        return switch (wire) {
            case NIO2, NIO2_TLS -> new Http11Nio2Protocol();
            case AJP -> {
                AjpNioProtocol ajp = new AjpNioProtocol();
                ajp.setSecretRequired(false);
                yield ajp;
            }
            default -> new Http11NioProtocol();
        };
    }

    private static void secure(Connector connector) {
        connector.setScheme("https");
        connector.setSecure(true);
        connector.setProperty("SSLEnabled", "true");
        SSLHostConfig host = new SSLHostConfig();
        SSLHostConfigCertificate certificate =
                new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
        certificate.setCertificateKeystoreFile(Wire.keyStore().toString());
        certificate.setCertificateKeystorePassword(Wire.PASSWORD);
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
    }

    static Container start(Site site) {
        TomcatContainer container = new TomcatContainer(site.maxThreads(), site.wire());
        container.tomcat.getConnector().setProperty("address", site.address());
        container.tomcat.getConnector().setProperty("useVirtualThreads", Boolean.toString(site.hasVirtualThreads()));
        for (UpgradeProtocol upgrade : container.tomcat.getConnector().findUpgradeProtocols()) {
            if (upgrade instanceof Http2Protocol http2) {
                http2.setMaxConcurrentStreamExecution(site.streamsAtOnce());
                if (site.areResetsUnlimited()) {
                    http2.setOverheadResetFactor(0);
                    http2.setOverheadDataThreshold(0);
                    http2.setOverheadWindowUpdateThreshold(0);
                }
            }
        }
        if (site.areAmbiguousPathsLetIn()) {
            container.tomcat.getConnector().setEncodedSolidusHandling("decode");
        }
        Duration idle = site.idleTimeout();
        if (idle != null) {
            container.tomcat.getConnector().setProperty("connectionTimeout", Long.toString(idle.toMillis()));
        }
        container.tomcat.getHost().getPipeline().addValve(accessLog(site.accessLog()));
        if (site.isForwardedBelieved()) {
            container.tomcat.getHost().getPipeline().addValve(new RemoteIpValve());
        }
        Context context = container.tomcat.addContext("", container.base.toString());
        site.errorPages().forEach((status, location) -> {
            ErrorPage page = new ErrorPage();
            page.setErrorCode(status);
            page.setLocation(location);
            context.addErrorPage(page);
        });
        context.addServletContainerInitializer((classes, servletContext) -> site.applyTo(servletContext), Set.of());
        return container.serve(context);
    }

    private static Valve accessLog(Queue<String> lines) {
        AbstractAccessLogValve valve = new AbstractAccessLogValve() {
            @Override
            protected void log(CharArrayWriter line) {
                lines.add(line.toString());
            }
        };
        valve.setPattern("%m %U %s");
        return valve;
    }

    static Container deploy(War war, int maxThreads, Wire wire) {
        TomcatContainer container = new TomcatContainer(maxThreads, wire);
        Context context = application(war, "");
        container.tomcat.getHost().addChild(context);
        return container.serve(context);
    }

    static Host host(int maxThreads) {
        TomcatContainer container = new TomcatContainer(maxThreads, Wire.PLAIN);
        return container.serve(container.tomcat.getHost());
    }

    @Override
    public Deployment deploy(War war, String path) {
        Context context = application(war, path);
        tomcat.getHost().addChild(context);
        if (!context.getState().isAvailable()) {
            throw new IllegalStateException("the application is " + context.getState() + ", see the log");
        }
        return () -> tomcat.getHost().removeChild(context);
    }

    /** Without the default web.xml, which wants a JSP compiler. */
    private static Context application(War war, String path) {
        ContextConfig config = new ContextConfig();
        config.setDefaultWebXml(Constants.NoDefaultWebXml);
        Context context = new StandardContext();
        context.setName(path);
        context.setPath(path);
        context.setDocBase(war.directory().toString());
        context.addLifecycleListener(config);
        Tomcat.addServlet(context, "default", new DefaultServlet()).addMapping("/");
        context.setParentClassLoader(new WithoutHangup());
        StandardJarScanner scanner = new StandardJarScanner();
        scanner.setScanClassPath(false);
        scanner.setScanManifest(false);
        context.setJarScanner(scanner);
        return context;
    }

    private TomcatContainer serve(Lifecycle application) {
        try {
            tomcat.start();
            if (!application.getState().isAvailable()) {
                throw new LifecycleException("the application is " + application.getState() + ", see the log");
            }
        } catch (LifecycleException e) {
            close();
            throw new IllegalStateException("Tomcat does not start: " + e.getMessage(), e);
        }
        return this;
    }

    @Override
    public String version() {
        return ServerInfo.getServerNumber();
    }

    @Override
    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public int busyWorkers() {
        Executor workers = protocol.getExecutor();
        return workers instanceof ThreadPoolExecutor pool ? pool.getActiveCount() : 0;
    }

    @Override
    public void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
            FileUtils.deleteDirectory(base.toFile());
            // Tomcat leaves its home in a system property, and the next one would create that directory again.
            System.clearProperty("catalina.home");
        } catch (LifecycleException | IOException e) {
            throw new IllegalStateException("Tomcat does not stop: " + e.getMessage(), e);
        }
    }
}
