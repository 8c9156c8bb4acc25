package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.it.Postgres;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.jdbc.CallerAwareDataSourceFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.naming.ContextBindings;
import org.apache.tomcat.util.descriptor.web.ContextResource;
import org.eclipse.jetty.util.resource.ResourceFactory;
import org.eclipse.jetty.xml.XmlConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Data sources that are wrapped where containers define them. */
@SuppressWarnings("BanJNDI")
final class JndiIT {
    private final PGSimpleDataSource database =
            (PGSimpleDataSource) Postgres.shared().dataSource();

    /** What Tomcat's naming sets for the whole JVM, in which others look names up in Jetty. */
    private static final List<String> PROPERTIES =
            List.of("java.naming.factory.initial", "java.naming.factory.url.pkgs", "catalina.useNaming");

    private final List<Optional<String>> before = PROPERTIES.stream()
            .map(System::getProperty)
            .map(Optional::ofNullable)
            .toList();

    @TempDir
    Path directory;

    @AfterEach
    void restore() {
        for (int i = 0; i < PROPERTIES.size(); i++) {
            String name = PROPERTIES.get(i);
            before.get(i).ifPresentOrElse(value -> System.setProperty(name, value), () -> System.clearProperty(name));
        }
    }

    private ContextResource tomcatPool(String name) {
        return resource(
                name,
                Map.of(
                        "url", database.getURL(),
                        "username", "postgres",
                        "driverClassName", "org.postgresql.Driver",
                        "initialSize", "1"));
    }

    private static ContextResource resource(String name, Map<String, String> attributes) {
        ContextResource resource = new ContextResource();
        resource.setName(name);
        resource.setType("javax.sql.DataSource");
        attributes.forEach(resource::setProperty);
        return resource;
    }

    @Test
    void wrapsWhatAFactoryOfTomcatsMakes() throws Exception {
        ContextResource resource = tomcatPool("jdbc/main");
        resource.setProperty("factory", CallerAwareDataSourceFactory.class.getName());
        resource.setProperty("delegate", "org.apache.tomcat.jdbc.pool.DataSourceFactory");
        inTomcat(
                () -> {
                    Object found = new InitialContext().lookup("java:comp/env/jdbc/main");
                    assertThat(found).isInstanceOfSatisfying(CallerAwareDataSource.class, source -> {
                        assertThat(source.toString()).startsWith("jdbc:main over ");
                        assertThat(source).satisfies(JndiIT::works);
                    });
                    assertThat(new InitialContext().lookup("java:comp/env/jdbc/main"))
                            .isSameAs(found);
                    return null;
                },
                resource);
    }

    @Test
    void wrapsWhatAnotherNameStandsFor() throws Exception {
        ContextResource raw = tomcatPool("jdbc/raw");
        raw.setProperty("factory", "org.apache.tomcat.jdbc.pool.DataSourceFactory");
        ContextResource wrapped = resource(
                "jdbc/guarded",
                Map.of(
                        "factory",
                        CallerAwareDataSourceFactory.class.getName(),
                        "source",
                        "jdbc/raw",
                        "hangupName",
                        "orders",
                        "controlConnection",
                        "false"));
        inTomcat(
                () -> {
                    CallerAwareDataSource source =
                            (CallerAwareDataSource) new InitialContext().lookup("java:comp/env/jdbc/guarded");
                    assertThat(source.toString()).startsWith("jdbc:orders over ");
                    works(source);
                    return null;
                },
                raw,
                wrapped);
    }

    @Test
    void saysWhatIsMissing() throws Exception {
        ContextResource resource = tomcatPool("jdbc/main");
        resource.setProperty("factory", CallerAwareDataSourceFactory.class.getName());
        inTomcat(
                () -> {
                    assertThatThrownBy(() -> new InitialContext().lookup("java:comp/env/jdbc/main"))
                            .isInstanceOf(NamingException.class)
                            .hasMessageContaining("\"delegate\"");
                    return null;
                },
                resource);
    }

    private static void works(CallerAwareDataSource source) {
        try (Connection connection = source.getConnection()) {
            assertThat(connection.isValid(5)).isTrue();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private void inTomcat(Callable<Void> look, ContextResource... resources) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(directory.toString());
        tomcat.setPort(0);
        tomcat.getHost().setAutoDeploy(false);
        tomcat.enableNaming();
        Context application = tomcat.addContext("", directory.toString());
        for (ContextResource resource : resources) {
            application.getNamingResources().addResource(resource);
        }
        try {
            tomcat.start();
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(application.getLoader().getClassLoader());
            try {
                assertThat(ContextBindings.isClassLoaderBound()).isTrue();
                look.call();
            } finally {
                thread.setContextClassLoader(before);
            }
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    /** The inner part of the snippet in the README; what it stands in would bind it to a name. */
    @Test
    void wrapsInAFileOfJettys() throws Exception {
        Path file = Files.writeString(directory.resolve("jetty-env.xml"), """
                <?xml version="1.0"?>
                <!DOCTYPE Configure PUBLIC "-//Jetty//Configure//EN" "https://jetty.org/configure_10_0.dtd">
                <Configure id="list" class="java.util.ArrayList">
                  <Call name="add">
                    <Arg>
                      <Call class="dev.hangup.jdbc.CallerAwareDataSource" name="wrap">
                        <Arg>
                          <New class="com.zaxxer.hikari.HikariDataSource">
                            <Set name="jdbcUrl">%s</Set>
                            <Set name="username">postgres</Set>
                          </New>
                        </Arg>
                        <Arg>main</Arg>
                      </Call>
                    </Arg>
                  </Call>
                </Configure>
                """.formatted(
                        database.getURL().replace("&", "&amp;")));
        List<?> list = (List<?>) new XmlConfiguration(ResourceFactory.root().newResource(file)).configure();
        CallerAwareDataSource source = (CallerAwareDataSource) list.get(0);
        try (HikariDataSource pool = source.unwrap(HikariDataSource.class)) {
            works(source);
            assertThat(pool.isRunning()).isTrue();
        }
    }
}
