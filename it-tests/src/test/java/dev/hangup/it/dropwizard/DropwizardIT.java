package dev.hangup.it.dropwizard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.demo.ReportDesk;
import dev.hangup.it.Postgres;
import dev.hangup.it.RawClient;
import dev.hangup.it.RawResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.glassfish.jersey.internal.Version;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The example of {@code dev.hangup.demo.jersey} in Dropwizard: the two jars, and one line that registers the filter. */
@Tag("dropwizard")
final class DropwizardIT {

    private static final String CONFIGURATION = """
            server:
              applicationConnectors: [{ type: http, port: 0, bindHost: 127.0.0.1 }]
              adminConnectors: [{ type: http, port: 0, bindHost: 127.0.0.1 }]
              requestLog: { appenders: [] }
            logging: { level: WARN }
            """;

    @TempDir
    Path folder = Path.of("");

    private final ExecutorService background = Executors.newCachedThreadPool();
    private final CompletableFuture<Server> started = new CompletableFuture<>();
    private HikariDataSource pool = new HikariDataSource();
    private Server server = new Server();

    @BeforeEach
    void start() throws Exception {
        Postgres.shared().execute("drop table if exists report").execute(ReportDesk.TABLE);
        pool = new HikariDataSource();
        pool.setDataSource(Postgres.shared().dataSource());
        pool.setMaximumPoolSize(4);
        Path file = Files.writeString(folder.resolve("reports.yaml"), CONFIGURATION);
        new ReportApplication(pool, background, started).run("server", file.toString());
        server = started.get(30, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        background.shutdownNow();
        pool.close();
    }

    private RawClient client() throws IOException {
        return RawClient.connect(((ServerConnector) server.getConnectors()[0]).getLocalPort());
    }

    @Test
    void aFastRequestIsServed() throws Exception {
        assertThat(Server.getVersion()).isEqualTo(System.getProperty("line.jetty"));
        assertThat(Version.getVersion()).isEqualTo(System.getProperty("line.jersey"));
        try (RawClient client = client()) {
            RawResponse response = client.get("/orders/7").response();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("report 7\n");
        }
        assertThat(Postgres.shared().rows("report")).isEqualTo(1);
    }

    /** At once, in the background, and with word of its progress. */
    @ParameterizedTest
    @ValueSource(strings = {"/reports/1", "/exports/2", "/progress/3"})
    void aSlowReportStopsWhenItsCallerLeaves(String path) throws Exception {
        RawClient leaving = client().get(path);
        await().until(() -> Postgres.shared().runningQueries("pg_sleep") == 1);
        leaving.close();
        await().atMost(Duration.ofSeconds(5)).until(() -> Postgres.shared().runningQueries("pg_sleep") == 0);
        await().untilAsserted(() ->
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero());
        assertThat(Postgres.shared().rows("report")).isZero();
    }
}
