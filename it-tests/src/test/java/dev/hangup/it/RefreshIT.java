package dev.hangup.it;

import static dev.hangup.it.Scrape.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;

/** Somebody reloads a slow page again and again: the database works on one of them at a time. */
final class RefreshIT {

    private static final int REFRESHES = 20;
    private static final String MARKER = "/* refresh";
    /** What a departure may cost until it is seen and its query is stopped, on average, on a busy machine. */
    private static final Duration SEEN_WITHIN = Duration.ofMillis(250);

    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /page", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(30)))
            .build();

    @EachContainer
    @DisplayName("case 5: twenty refreshes, never more than one live query, and hardly a second of unowned work")
    void twentyRefreshesAreOneQueryAtATime(ContainerKind kind) throws IOException {
        try (HikariDataSource pool = Postgres.shared().pool(REFRESHES)) {
            DataSource dataSource = CallerAwareDataSource.wrap(pool, "refresh");
            Site site = new Site().servlet("/page", new LambdaServlet((request, response) -> {
                try (Connection connection = dataSource.getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute("select pg_sleep(60) " + marker(request.getQueryString()));
                }
            }));
            try (Stage stage = Stage.start(kind, POLICY, site)) {
                for (int i = 1; i <= REFRESHES; i++) {
                    String mine = marker(String.valueOf(i));
                    RawClient browser = stage.client().get("/page?" + i);
                    // The one before has just left: in a moment this one's query is the only one.
                    await().atMost(Duration.ofSeconds(2))
                            .pollDelay(Duration.ZERO)
                            .pollInterval(Duration.ofMillis(10))
                            .untilAsserted(() -> {
                                assertThat(Postgres.shared().runningQueries(mine))
                                        .isEqualTo(1);
                                assertThat(Postgres.shared().runningQueries(MARKER))
                                        .isEqualTo(1);
                            });
                    assertThat(pool.getHikariPoolMXBean().getActiveConnections())
                            .isLessThanOrEqualTo(2);
                    browser.close();
                }
                await().until(() -> stage.turnstile.inside() == 0);
                Scrape scrape = stage.scrape();
                double unowned = scrape.sum("hangup_unowned_work_seconds_total");
                System.out.printf(Locale.ROOT, "%s: %d refreshes, %.3f s unowned%n", kind, REFRESHES, unowned);
                assertThat(scrape.count("hangup_cancelled_total", reason("caller_closed")))
                        .isEqualTo(REFRESHES);
                assertThat(unowned).isPositive().isLessThan(REFRESHES * SEEN_WITHIN.toMillis() / 1e3);
                assertThat(Postgres.shared().runningQueries(MARKER)).isZero();
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
            }
        }
    }

    private static String marker(String number) {
        return MARKER + " " + number + " */";
    }
}
