package dev.hangup.it.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hangup.call.CallScope;
import dev.hangup.it.Postgres;
import dev.hangup.jdbc.CallerAwareDataSource;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import javax.sql.DataSource;
import javax.sql.XADataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.xa.PGXADataSource;

/** Connections of distributed transactions, whose commit is somebody else's, are refused; a driver that could do both is not. */
final class XaIT {
    private static @Nullable MariaDb mariaDb;

    @TempDir
    private static Path directory;

    @AfterAll
    static void stop() {
        if (mariaDb != null) {
            mariaDb.close();
        }
    }

    private static synchronized @Nullable MariaDb server(Engine engine) throws IOException {
        if (mariaDb == null && engine.needsMariaDb()) {
            mariaDb = MariaDb.start(directory);
        }
        return mariaDb;
    }

    /** What the drivers call a data source for JTA; those of H2 and MariaDB are plain ones, too. */
    private static XADataSource distributed(Engine engine) throws Exception {
        if (engine != Engine.POSTGRES) {
            return (XADataSource) engine.open(server(engine));
        }
        PGSimpleDataSource plain = (PGSimpleDataSource) Postgres.shared().dataSource();
        PGXADataSource source = new PGXADataSource();
        source.setUrl(plain.getURL());
        source.setUser(plain.getUser());
        return source;
    }

    private static void assertRefused(ThrowingCallable wrapping) {
        assertThatThrownBy(wrapping)
                .isInstanceOfAny(IllegalArgumentException.class, SQLFeatureNotSupportedException.class)
                .hasMessageContaining("distributed (JTA) transactions, which Hangup does not guard");
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "H2", "MARIADB"})
    void refusesTomcatsPoolForThem(Engine engine) throws Exception {
        org.apache.tomcat.jdbc.pool.XADataSource pool = new org.apache.tomcat.jdbc.pool.XADataSource();
        pool.setDataSource(distributed(engine));
        DataSource unnamed =
                pool; // a lambda that names the pool's class could not be loaded where another line has none
        assertRefused(() -> CallerAwareDataSource.wrap(unnamed, "xa"));
        pool.close();
    }

    /** Tomcat's pool takes the XA side of whatever has one. */
    @ParameterizedTest
    @EnumSource(names = {"POSTGRES", "H2", "MARIADB"})
    void refusesTheirConnectionsInAPool(Engine engine) throws Exception {
        org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource();
        pool.setDataSource(distributed(engine));
        pool.setMaxActive(1);
        CallerAwareDataSource source = CallerAwareDataSource.wrap(pool, "xa");
        try (Calls calls = new Calls()) {
            for (int i = 0; i < 3; i++) { // of one connection: none is kept
                CallScope call = calls.begin();
                assertRefused(source::getConnection);
                Calls.end(call);
            }
            assertThat(pool.getActive()).isZero();
        } finally {
            pool.close();
        }
    }

    @Test
    void refusesThemBareWhereTheyCanBeTold() throws Exception {
        XADataSource driver = distributed(Engine.POSTGRES);
        DataSource bare = (DataSource) Proxy.newProxyInstance(
                XaIT.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> method.getName().equals("getConnection")
                        ? driver.getXAConnection().getConnection()
                        : null);
        CallerAwareDataSource source = CallerAwareDataSource.wrap(bare, "xa");
        try (Calls calls = new Calls()) {
            CallScope call = calls.begin();
            assertRefused(source::getConnection);
            Calls.end(call);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "MARIADB"})
    void wrapsADriverThatCouldDoBoth(Engine engine) throws Exception {
        DataSource plain = (DataSource) distributed(engine);
        CallerAwareDataSource source = CallerAwareDataSource.wrap(plain, "plain");
        try (Calls calls = new Calls()) {
            CallScope call = calls.begin();
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                assertThat(one(statement)).isEqualTo(1);
                connection.commit();
            } finally {
                Calls.end(call);
            }
        }
    }

    private static int one(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("select 1")) {
            row.next();
            return row.getInt(1);
        }
    }
}
