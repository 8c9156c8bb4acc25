package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.demo.ReportDesk;
import dev.hangup.demo.jersey.ReportService;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.Logged;
import dev.hangup.it.Postgres;
import dev.hangup.it.RawClient;
import dev.hangup.it.RawResponse;
import dev.hangup.it.Stage;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.policy.Policy;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The worked example: however a report is made, it is made for a caller who waits, and not for one who has left. */
@EachLine
final class ReportResourceIT {

    private static final String[] WAYS = {"/reports/1", "/exports/2", "/progress/3"};

    private final ExecutorService background = Executors.newCachedThreadPool();
    private final HikariDataSource pool = new HikariDataSource();

    @BeforeEach
    void start() {
        Postgres.shared().execute("drop table if exists report").execute(ReportDesk.TABLE);
        pool.setDataSource(Postgres.shared().dataSource());
        pool.setMaximumPoolSize(4);
    }

    @AfterEach
    void stop() {
        background.shutdownNow();
        pool.close();
    }

    private Stage stage(ContainerKind kind, Duration work) {
        DataSource database = CallerAwareDataSource.wrap(pool, "reports");
        ReportDesk slow = new ReportDesk(database, work);
        ReportDesk fast = new ReportDesk(database, Duration.ofMillis(1));
        return Stage.start(kind, Policy.defaults(), JerseySite.of("/*", new ReportService(slow, fast, background)));
    }

    @EachContainer
    void whoWaitsIsServed(ContainerKind kind) throws Exception {
        try (Logged logged = Logged.begin();
                Stage stage = stage(kind, Duration.ofMillis(200))) {
            assertThat(RawClient.ask(stage.container, "/reports/1").body()).isEqualTo("report 1\n");
            assertThat(RawClient.ask(stage.container, "/exports/2").body()).isEqualTo("report 2\n");
            RawResponse progress = RawClient.ask(stage.container, "/progress/3");
            assertThat(progress.body()).contains("event: progress", "data: 5 %", "data: 100 %", "data: report 3");
            logged.assertNoAlarms();
        }
        assertThat(Postgres.shared().rows("report")).isEqualTo(3);
    }

    @EachContainer
    void nothingIsMadeForWhoHasLeft(ContainerKind kind) throws Exception {
        try (Stage stage = stage(kind, Duration.ofSeconds(60))) {
            for (String way : WAYS) {
                RawClient leaving = stage.client().get(way);
                await().until(() -> Postgres.shared().runningQueries("pg_sleep") == 1);
                leaving.close();
                await().atMost(Duration.ofSeconds(5))
                        .until(() -> Postgres.shared().runningQueries("pg_sleep") == 0);
            }
            await().untilAsserted(() -> assertThat(pool.getHikariPoolMXBean().getActiveConnections())
                    .isZero());
            await().untilAsserted(() ->
                    assertThat(stage.scrape().count("hangup_cancelled_total")).isEqualTo(WAYS.length));
            await().untilAsserted(() ->
                    assertThat(stage.scrape().momentary().values()).allMatch(gauge -> gauge == 0));
        }
        assertThat(Postgres.shared().rows("report")).isZero();
    }
}
