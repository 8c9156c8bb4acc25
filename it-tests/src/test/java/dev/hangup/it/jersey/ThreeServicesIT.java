package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.call.Call;
import dev.hangup.client.CallerAwareHttpClient;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.LambdaServlet;
import dev.hangup.it.Postgres;
import dev.hangup.it.RawClient;
import dev.hangup.it.Site;
import dev.hangup.it.Stage;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.jersey.CallerAwareClientFilter;
import dev.hangup.jersey.CallerAwareConnectorProvider;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.glassfish.jersey.client.ClientConfig;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;

/**
 * Three services, each with Hangup in front: A, a Jersey resource, asks B, a servlet, which asks C, which asks PostgreSQL. They have
 * nothing in common but HTTP.
 */
@EachLine
final class ThreeServicesIT {

    private static final String MARKER = "/* three services */";
    private static final Duration WITHIN = Duration.ofSeconds(1);

    private static final Policy POLICY = PolicyFile.parse("hangup.yaml", """
                    caller-deadline: { headers: [x-request-timeout-ms], trusted: [127.0.0.0/8] }
                    deadlines:
                      endpoints:
                        "GET /report": { mode: cancel, normal: 30s }
                        "GET /short":  { mode: cancel, normal: 3s }
                    """).policy();

    private final Client client = ClientBuilder.newClient(new ClientConfig()
            .connectorProvider(new CallerAwareConnectorProvider())
            .register(new CallerAwareClientFilter(() -> POLICY)));
    private final HttpClient plain = CallerAwareHttpClient.wrap(HttpClient.newHttpClient(), () -> POLICY)
            .withDeadlineHeader("x-request-timeout-ms");
    /** What each service had left as it began. */
    private final Queue<Duration> left = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop() {
        client.close();
    }

    /** How a service asks the next one. */
    private interface Asking {
        String ask(URI next) throws Exception;
    }

    private final Asking jaxRs = next -> client.target(next).request().get(String.class);
    private final Asking javaNetHttp =
            next -> plain.send(HttpRequest.newBuilder(next).build(), BodyHandlers.ofString())
                    .body();

    @Path("/")
    public static final class Front {
        private final Asking asking;
        private final URI next;

        Front(Asking asking, URI next) {
            this.asking = asking;
            this.next = next;
        }

        @GET
        @Path("report")
        public String report() throws Exception {
            return asking.ask(next);
        }

        @GET
        @Path("short")
        public String shortReport() throws Exception {
            return asking.ask(next);
        }
    }

    private Site last(DataSource database) {
        return new Site().servlet("/report", new LambdaServlet((request, response) -> {
            left.add(Call.current().deadline().remaining());
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("select pg_sleep(60) " + MARKER);
            }
        }));
    }

    private Site middle(Asking asking, URI next) {
        return new Site().servlet("/report", new LambdaServlet((request, response) -> {
            left.add(Call.current().deadline().remaining());
            response.getWriter().print(asking.ask(next));
        }));
    }

    private static URI report(Stage stage) {
        return URI.create("http://127.0.0.1:" + stage.container.port() + "/report");
    }

    private interface Scene {
        void play(Stage a, Stage b, Stage c) throws Exception;
    }

    private void play(ContainerKind kind, Asking asking, Scene scene) throws Exception {
        ContainerKind other = kind == ContainerKind.JETTY ? ContainerKind.TOMCAT : ContainerKind.JETTY;
        try (HikariDataSource pool = pool();
                Stage c = Stage.start(kind, POLICY, last(CallerAwareDataSource.wrap(pool, "reports")));
                Stage b = Stage.start(other, POLICY, middle(asking, report(c)));
                Stage a = Stage.start(
                        kind,
                        POLICY,
                        JerseySite.of("/*", new ResourceConfig().register(new Front(asking, report(b)))))) {
            scene.play(a, b, c);
        }
    }

    private static HikariDataSource pool() {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(Postgres.shared().dataSource());
        pool.setMaximumPoolSize(2);
        return pool;
    }

    @EachContainer
    void theStatementEndsWhenTheCallerHasLeft(ContainerKind kind) throws Exception {
        play(kind, jaxRs, this::leaveManyTimes);
    }

    @EachContainer
    void theSameOverJavaNetHttp(ContainerKind kind) throws Exception {
        play(kind, javaNetHttp, this::leaveManyTimes);
    }

    private void leaveManyTimes(Stage a, Stage b, Stage c) throws Exception {
        List<Duration> taken = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            RawClient leaving = a.client().get("/report");
            await().until(() -> Postgres.shared().runningQueries(MARKER) == 1);
            long begun = System.nanoTime();
            leaving.close();
            await().pollInterval(Duration.ofMillis(10))
                    .until(() -> Postgres.shared().runningQueries(MARKER) == 0);
            taken.add(Duration.ofNanos(System.nanoTime() - begun));
        }
        // One of them may fall into a pause of the machine.
        assertThat(taken.stream().sorted().skip(taken.size() / 2).findFirst().orElseThrow())
                .as("" + taken)
                .isLessThan(WITHIN);
        for (Stage stage : List.of(a, b, c)) {
            await().untilAsserted(() ->
                    assertThat(stage.scrape().count("hangup_cancelled_total")).isEqualTo(taken.size()));
            await().untilAsserted(() ->
                    assertThat(stage.scrape().momentary().values()).allMatch(gauge -> gauge == 0));
        }
    }

    @EachContainer
    void theDeadlineIsOneForAllThree(ContainerKind kind) throws Exception {
        play(kind, jaxRs, (a, b, c) -> {
            RawClient waiting = a.client().get("/short");
            assertThat(waiting.response().status()).isEqualTo(504);
            waiting.close();
            await().until(() -> Postgres.shared().runningQueries(MARKER) == 0);
            assertThat(left).hasSize(2).allMatch(time -> time.compareTo(Duration.ofSeconds(3)) <= 0);
        });
    }
}
