package dev.hangup.it;

import static dev.hangup.it.Scrape.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;

/** Slow work whose caller stays is never touched, as long as its deadline has not passed. */
final class PatientCallerIT {

    private static final byte[] BODY = new byte[20_000];

    @EachContainer
    void slowWorkCompletesUnderItsDeadline(ContainerKind kind) throws IOException {
        completes(kind, Duration.ofMillis(2_500), Duration.ofSeconds(3));
    }

    @EachContainer
    @Tag("soak")
    void slowWorkCompletesUnderItsDeadlineInFull(ContainerKind kind) throws IOException {
        completes(kind, Duration.ofSeconds(25), Duration.ofSeconds(30));
    }

    private static void completes(ContainerKind kind, Duration work, Duration deadline) throws IOException {
        Postgres.shared().execute("drop table if exists patient").execute("create table patient (id text)");
        Entry cancel = Entry.of(Mode.CANCEL).normal(deadline);
        Policy policy = Policy.builder()
                .endpoint("GET /{work}", cancel)
                .endpoint("POST /{work}", cancel)
                .build();
        try (HikariDataSource pool = Postgres.shared().pool(5)) {
            DataSource dataSource = CallerAwareDataSource.wrap(pool, "patient");
            Site site = new Site()
                    .servlet("/sleep", new LambdaServlet((request, response) -> {
                        request.getInputStream().readAllBytes();
                        Thread.sleep(Long.parseLong(request.getQueryString()));
                        response.getWriter().print("slept");
                    }))
                    .servlet("/statement", new LambdaServlet((request, response) -> {
                        insertSlowly(dataSource, Duration.ofMillis(Long.parseLong(request.getQueryString())));
                        response.getWriter().print("committed");
                    }));
            try (Stage stage = Stage.start(kind, policy, site);
                    RawClient quiet = stage.client();
                    RawClient pipelining = stage.client();
                    RawClient posting = stage.client();
                    RawClient querying = stage.client()) {
                // The first of each kind loads classes, which on a busy machine takes as long as the deadline leaves.
                assertThat(querying.get("/statement?0").response().body()).isEqualTo("committed");
                assertThat(posting.post("/sleep?0", BODY).response().body()).isEqualTo("slept");

                long began = System.nanoTime();
                quiet.get("/sleep?" + work.toMillis());
                pipelining.get("/sleep?" + work.toMillis());
                posting.post("/sleep?" + work.toMillis(), BODY);
                querying.get("/statement?" + work.toMillis());
                await().until(() -> stage.turnstile.inside() == 4);
                pipelining.get("/sleep?0"); // bytes that wait, all the time, for their turn
                for (RawClient client : List.of(quiet, pipelining, posting)) {
                    assertThat(client.patience(deadline.multipliedBy(2))
                                    .response()
                                    .body())
                            .isEqualTo("slept");
                }
                assertThat(querying.response().body()).isEqualTo("committed");
                Duration took = Duration.ofNanos(System.nanoTime() - began);
                assertThat(pipelining.response().body()).isEqualTo("slept");
                System.out.printf(
                        Locale.ROOT,
                        "%s: %s of work under a deadline of %s completed after %s%n",
                        kind,
                        work,
                        deadline,
                        took);

                assertThat(took).isGreaterThanOrEqualTo(work);
                assertThat(Postgres.shared().rows("patient")).isEqualTo(2);
                Scrape scrape = stage.scrape();
                assertThat(scrape.count("hangup_calls_total", outcome("completed")))
                        .isEqualTo(7);
                assertThat(scrape.count("hangup_calls_total")).isEqualTo(7);
                assertThat(scrape.count("hangup_cancelled_total")).isZero();
                assertThat(scrape.sum("hangup_unowned_work_seconds_total")).isZero();
                assertThat(stage.turnstile.interrupted).hasValue(0);
            }
        }
    }

    private static void insertSlowly(DataSource dataSource, Duration work) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.executeUpdate("insert into patient values ('stays')");
            statement.execute("select pg_sleep(" + work.toMillis() / 1e3 + ")");
            connection.commit();
        }
    }
}
