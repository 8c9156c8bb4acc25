package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.it.Child;
import dev.hangup.it.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** The README's definitions of a data source, in real containers with their naming, each in a process of its own. */
final class NamingIT {
    private static final Path README = Path.of("..", "README.md");

    private static final String WEB_XML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
              <filter>
                <filter-name>hangup</filter-name><filter-class>dev.hangup.HangupFilter</filter-class>
                <async-supported>true</async-supported>
                <init-param><param-name>mode</param-name><param-value>cancel</param-value></init-param>
              </filter>
              <filter-mapping><filter-name>hangup</filter-name><url-pattern>/*</url-pattern></filter-mapping>
              <servlet>
                <servlet-name>look-up</servlet-name><servlet-class>%s</servlet-class>
              </servlet>
              <servlet-mapping><servlet-name>look-up</servlet-name><url-pattern>/*</url-pattern></servlet-mapping>
              <resource-ref>
                <res-ref-name>jdbc/reports</res-ref-name><res-type>javax.sql.DataSource</res-type>
              </resource-ref>
            </web-app>
            """.formatted(LookUpServlet.class.getName());

    @TempDir
    private Path application;

    /** The code block with this in it, its three dots filled in. */
    private static String snippet(String marker) throws IOException {
        PGSimpleDataSource database = (PGSimpleDataSource) Postgres.shared().dataSource();
        String url = "jdbc:postgresql://127.0.0.1:" + database.getPortNumbers()[0] + "/postgres?user=postgres";
        for (String block : Files.readString(README).split("```", -1)) {
            if (block.startsWith("xml\n") && block.contains(marker)) {
                return block.substring("xml\n".length())
                        .replace("jdbc:postgresql://...", url)
                        .replace("username=\"...\"", "username=\"postgres\"")
                        .replace("password=\"...\"", "password=\"\"");
            }
        }
        throw new IllegalStateException("no example with " + marker + " in " + README.toAbsolutePath());
    }

    private String run(NamingServer server, String file, String text) throws IOException {
        write("WEB-INF/web.xml", WEB_XML);
        write(file, text);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = List.of(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                NamingServer.class.getName(),
                server.name(),
                application.toString());
        try (Child child = Child.start(application, command)) {
            await().atMost(Duration.ofSeconds(180)).until(() -> !child.isAlive());
            return child.output();
        }
    }

    private void write(String file, String text) throws IOException {
        Path path = application.resolve(file);
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        Files.writeString(path, text);
    }

    @Test
    void findsWhatTomcatMakes() throws IOException {
        String resource = snippet("CallerAwareDataSourceFactory");
        assertThat(run(NamingServer.TOMCAT, "META-INF/context.xml", "<Context>" + resource + "</Context>"))
                .contains("status 200", "found jdbc:reports over org.apache.tomcat.jdbc.pool.DataSource")
                .contains("again true", "connection GuardedConnection", "limit 0\n");
    }

    @Test
    void findsWhatTomcatMakesWithAllItsOptions() throws IOException {
        String resource = snippet("CallerAwareDataSourceFactory")
                .replace("factory=", "hangupName=\"other\" databaseDeadline=\"true\" factory=");
        assertThat(run(NamingServer.TOMCAT, "META-INF/context.xml", "<Context>" + resource + "</Context>"))
                .contains("status 200", "found jdbc:other over", "again true", "connection GuardedConnection")
                .containsPattern("limit [12]?\\d(\\d{3}ms|s)");
    }

    /** One definition wraps another by its name. */
    @Test
    void findsWhatTomcatHasMadeForAnotherName() throws IOException {
        String raw = snippet("CallerAwareDataSourceFactory")
                .replaceAll("factory=\"[^\"]*\"\\s+delegate=", "factory=")
                .replace("jdbc/reports", "jdbc/raw");
        String wrapped = "<Resource name=\"jdbc/reports\" type=\"javax.sql.DataSource\" source=\"jdbc/raw\""
                + " factory=\"dev.hangup.jdbc.CallerAwareDataSourceFactory\"/>";
        assertThat(run(NamingServer.TOMCAT, "META-INF/context.xml", "<Context>" + raw + wrapped + "</Context>"))
                .contains("status 200", "found jdbc:reports over org.apache.tomcat.jdbc.pool.DataSource")
                .contains("again true", "connection GuardedConnection");
    }

    @Test
    void findsWhatJettyMakes() throws IOException {
        String configure = """
                <?xml version="1.0"?>
                <!DOCTYPE Configure PUBLIC "-//Jetty//Configure//EN" "https://jetty.org/configure_10_0.dtd">
                <Configure class="org.eclipse.jetty.ee11.webapp.WebAppContext">
                %s
                </Configure>
                """;
        String resource = snippet("org.eclipse.jetty.plus.jndi.Resource");
        assertThat(run(NamingServer.JETTY, "WEB-INF/jetty-env.xml", configure.formatted(resource)))
                .contains("status 200", "found jdbc:reports over HikariDataSource")
                .contains("again true", "connection GuardedConnection", "limit 0\n");
    }
}
