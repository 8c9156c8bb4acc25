package dev.hangup.it.dropwizard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.demo.ReportDesk;
import dev.hangup.it.Postgres;
import dev.hangup.it.RawClient;
import dev.hangup.it.RawResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

/** The example of {@code dev.hangup.demo.jersey} in Dropwizard: the two jars, and one line that registers the filter. */
@Tag("dropwizard")
final class DropwizardIT {

    private static final System.Logger LOG = System.getLogger(DropwizardIT.class.getName());

    private static final String CONFIGURATION = """
            server:
              applicationConnectors: [{ type: http, port: 0, bindHost: 127.0.0.1 }]
              adminConnectors: [{ type: http, port: 0, bindHost: 127.0.0.1 }]
              requestLog: { appenders: [] }
            logging: { level: WARN, appenders: [{ type: file, currentLogFilename: "%s", archive: false }] }
            """;

    /** All slow ones: at once, in the background, and with word of its progress. */
    private static final List<String> WAYS = List.of("/reports/1", "/exports/2", "/progress/3");

    @TempDir
    Path folder = Path.of("");

    private final ExecutorService background = Executors.newCachedThreadPool();
    private final CompletableFuture<Server> started = new CompletableFuture<>();
    private HikariDataSource pool = new HikariDataSource();
    private Server server = new Server();
    private Path log = Path.of("");

    @BeforeEach
    void clear() {
        Postgres.shared().execute("drop table if exists report").execute(ReportDesk.TABLE);
        pool = new HikariDataSource();
        pool.setDataSource(Postgres.shared().dataSource());
        pool.setMaximumPoolSize(4);
    }

    private void start(String deadline) throws Exception {
        log = folder.resolve("alarms.log");
        Path policy = Files.writeString(folder.resolve("hangup.yaml"), """
                deadlines:
                  endpoints:
                    "GET /reports/{id}":  { normal: %1$s }
                    "GET /exports/{id}":  { normal: %1$s }
                    "GET /progress/{id}": { normal: %1$s }
                """.formatted(deadline));
        Path file = Files.writeString(folder.resolve("reports.yaml"), CONFIGURATION.formatted(log));
        new ReportApplication(pool, background, policy, started).run("server", file.toString());
        server = started.get(30, TimeUnit.SECONDS);
        mark("begins");
    }

    /** Logs this, and returns what anybody has logged by then. Dropwizard's appender has a thread of its own. */
    private String mark(String word) {
        LOG.log(Level.WARNING, "the test " + word);
        return await().until(() -> Files.readString(log), text -> text.contains("the test " + word));
    }

    /** What an operator would be called for, by anybody, since the application has started. */
    private void assertNoAlarms() {
        String text = mark("ends");
        assertThat(text.substring(text.indexOf("the test begins"))
                        .lines()
                        .skip(1)
                        .filter(line -> !line.contains("the watcher was held up"))
                        .toList())
                .singleElement()
                .asString()
                .endsWith("the test ends");
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
        start("90s");
        assertThat(Server.getVersion()).isEqualTo(System.getProperty("line.jetty"));
        assertThat(Version.getVersion()).isEqualTo(System.getProperty("line.jersey"));
        try (RawClient client = client()) {
            RawResponse response = client.get("/orders/7").response();
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("report 7\n");
        }
        assertThat(Postgres.shared().rows("report")).isEqualTo(1);
    }

    @Test
    void aSlowReportStopsWhenItsCallerLeavesAndNobodyIsAlarmed() throws Exception {
        start("90s");
        for (String path : WAYS) {
            RawClient leaving = client().get(path);
            await().until(() -> Postgres.shared().runningQueries("pg_sleep") == 1);
            leaving.close();
            assertStopped();
        }
        assertNoAlarms();
    }

    @Test
    void aSlowReportStopsAtItsDeadlineAndNobodyIsAlarmed() throws Exception {
        start("1s");
        for (String path : WAYS) {
            try (RawClient waiting = client().get(path)) {
                if (path.startsWith("/progress/")) {
                    assertThatThrownBy(waiting::response).isInstanceOf(IOException.class); // it had begun
                } else {
                    assertThat(waiting.response().status()).isEqualTo(504);
                }
            }
            assertStopped();
        }
        assertNoAlarms();
    }

    private void assertStopped() {
        await().atMost(Duration.ofSeconds(5)).until(() -> Postgres.shared().runningQueries("pg_sleep") == 0);
        await().untilAsserted(() ->
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero());
        assertThat(Postgres.shared().rows("report")).isZero();
    }
}
