package dev.hangup.it.jdbc;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Constants;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.eclipse.jetty.ee11.plus.webapp.EnvConfiguration;
import org.eclipse.jetty.ee11.plus.webapp.PlusConfiguration;
import org.eclipse.jetty.ee11.webapp.WebAppContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * A real container with its naming, which is the whole JVM's: so this is a program. It deploys the application in a directory, asks
 * it once, writes what it was told, and ends.
 */
enum NamingServer {
    TOMCAT {
        @Override
        int start(Path application) throws Exception {
            Tomcat tomcat = new Tomcat();
            tomcat.setBaseDir(Files.createTempDirectory(application, "base").toString());
            tomcat.setPort(0);
            tomcat.getConnector().setProperty("address", "127.0.0.1");
            tomcat.enableNaming();
            ContextConfig config = new ContextConfig();
            config.setDefaultWebXml(Constants.NoDefaultWebXml);
            Context context = new StandardContext();
            context.setPath("");
            context.setDocBase(application.toString());
            context.setConfigFile(
                    application.resolve("META-INF/context.xml").toUri().toURL());
            context.setParentClassLoader(NamingServer.class.getClassLoader());
            context.addLifecycleListener(config);
            StandardJarScanner scanner = new StandardJarScanner();
            scanner.setScanClassPath(false);
            scanner.setScanManifest(false);
            context.setJarScanner(scanner);
            tomcat.getHost().addChild(context);
            tomcat.start();
            return tomcat.getConnector().getLocalPort();
        }
    },
    JETTY {
        @Override
        int start(Path application) throws Exception {
            Server server = new Server();
            ServerConnector connector = new ServerConnector(server);
            connector.setHost("127.0.0.1");
            server.addConnector(connector);
            WebAppContext context = new WebAppContext(application.toString(), "/");
            context.addConfiguration(new EnvConfiguration(), new PlusConfiguration());
            context.setThrowUnavailableOnStartupException(true);
            server.setHandler(context);
            server.start();
            return connector.getLocalPort();
        }
    };

    abstract int start(Path application) throws Exception;

    /** As above: the container, and the directory of the application. */
    public static void main(String[] arguments) throws Exception {
        int port = valueOf(arguments[0]).start(Path.of(arguments[1]));
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        System.out.println("status " + answer.statusCode() + "\n" + answer.body());
        System.exit(0);
    }
}
