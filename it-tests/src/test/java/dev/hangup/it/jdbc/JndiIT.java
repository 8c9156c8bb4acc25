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
import javax.naming.CompositeName;
import javax.naming.NamingException;
import javax.naming.Reference;
import javax.naming.StringRefAddr;
import org.eclipse.jetty.util.resource.ResourceFactory;
import org.eclipse.jetty.xml.XmlConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** Data sources that are wrapped where containers define them. No naming is started: it would be the whole JVM's. */
final class JndiIT {
    private final PGSimpleDataSource database =
            (PGSimpleDataSource) Postgres.shared().dataSource();

    @TempDir
    Path directory;

    private Reference definition() {
        Reference definition = new Reference("javax.sql.DataSource");
        definition.add(new StringRefAddr("url", database.getURL()));
        definition.add(new StringRefAddr("username", "postgres"));
        definition.add(new StringRefAddr("driverClassName", "org.postgresql.Driver"));
        definition.add(new StringRefAddr("initialSize", "1"));
        return definition;
    }

    @Test
    void wrapsWhatAFactoryOfTomcatsMakes() throws Exception {
        Reference definition = definition();
        definition.add(new StringRefAddr("delegate", "org.apache.tomcat.jdbc.pool.DataSourceFactory"));
        Object found = new CallerAwareDataSourceFactory()
                .getObjectInstance(definition, new CompositeName("jdbc/main"), null, null);
        assertThat(found).isInstanceOfSatisfying(CallerAwareDataSource.class, source -> {
            assertThat(source.toString()).startsWith("jdbc:main over ");
            works(source);
        });
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> new CallerAwareDataSourceFactory().getObjectInstance(definition(), null, null, null))
                .isInstanceOf(NamingException.class)
                .hasMessageContaining("\"delegate\"");
    }

    private static void works(CallerAwareDataSource source) {
        try (Connection connection = source.getConnection()) {
            assertThat(connection.isValid(5)).isTrue();
        } catch (SQLException e) {
            throw new AssertionError(e);
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
