package dev.hangup.it;

import static dev.hangup.it.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;

/** A pool whose workers, or connections, are all held for callers who left: seen while it lasts, and over at once. */
final class LongPollIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int POLLS = 100;
    private static final Duration PATIENCE = Duration.ofMillis(150);
    /** So that about seven callers wait at any moment, for ten workers. */
    private static final Duration PACE = Duration.ofMillis(20);

    private static final Duration PING_WITHIN = Duration.ofMillis(200);
    private static final int POOL = 20;
    private static final Duration HEALTHY_WITHIN = Duration.ofSeconds(1);
    private static final String SLEEP = "select pg_sleep(60) /* poll */";

    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /poll", Entry.of(Mode.CANCEL).normal(LIMIT))
            .endpoint("GET /query", Entry.of(Mode.CANCEL).normal(LIMIT))
            .endpoint("GET /observed", Entry.of(Mode.OBSERVE).normal(LIMIT))
            .build();

    @EachContainer
    @DisplayName("case 68: ten workers, a hundred abandoned long polls, and /ping answers all the time")
    void pingAnswersWhileLongPollsAreAbandoned(ContainerKind kind) throws Exception {
        Site site = new Site()
                .maxThreads(10)
                .servlet("/poll", new Gate())
                .servlet("/ping", new LambdaServlet((request, response) -> response.getWriter()
                        .print("pong")));
        List<Duration> pings = new ArrayList<>();
        try (Stage stage = Stage.start(kind, POLICY, site);
                RawClient pinging = stage.client()) {
            Deque<Poll> polls = new ArrayDeque<>();
            for (int i = 0; i < POLLS; i++) {
                polls.add(new Poll(stage.client().get("/poll"), System.nanoTime()));
                while (!polls.isEmpty() && System.nanoTime() - polls.getFirst().since() > PATIENCE.toNanos()) {
                    polls.removeFirst().client().close();
                }
                long asked = System.nanoTime();
                assertThat(pinging.get("/ping").response().body()).isEqualTo("pong");
                pings.add(Duration.ofNanos(System.nanoTime() - asked));
                Thread.sleep(PACE.toMillis());
            }
            for (Poll poll : polls) {
                poll.client().close();
            }
            Collections.sort(pings);
            Duration slow = pings.get(POLLS * 95 / 100);
            System.out.printf(
                    Locale.ROOT, "%s: 95 of 100 pings within %s, the slowest %s%n", kind, slow, pings.get(POLLS - 1));
            await().until(() -> stage.turnstile.inside() == 0);
            // Without free workers a ping would wait for a long poll to end; a few are left to the machine's own
            // pauses.
            assertThat(slow).isLessThan(PING_WITHIN);
            assertThat(pings.get(POLLS - 1)).isLessThan(LIMIT);
            assertThat(stage.scrape().count("hangup_cancelled_total")).isEqualTo(POLLS);
        }
    }

    @EachContainer
    void callersWhoAreGoneOnArrivalDoNotHoldAWorkerForAGraceEach(ContainerKind kind) throws Exception {
        Duration grace = Duration.ofMillis(500);
        Policy patient = Policy.builder()
                .settings(Settings.DEFAULTS.withGrace(grace))
                .endpoint("GET /poll", Entry.of(Mode.CANCEL).normal(LIMIT))
                .build();
        Gate gate = new Gate();
        Site site = new Site()
                .maxThreads(10)
                .servlet("/poll", gate)
                .servlet("/ping", new LambdaServlet((request, response) -> response.getWriter()
                        .print("pong")));
        try (Stage stage = Stage.start(kind, patient, site);
                RawClient pinging = stage.client()) {
            List<RawClient> callers = new ArrayList<>();
            for (int i = 0; i < POLLS; i++) {
                callers.add(stage.client().get("/poll"));
            }
            await().until(() -> gate.entered.get() == 10);
            Thread.sleep(2 * grace.toMillis()); // the first ten are watched by now, the others wait for a worker
            pinging.get("/ping");
            for (RawClient caller : callers) {
                caller.close();
            }
            long left = System.nanoTime();
            assertThat(pinging.response().body()).isEqualTo("pong");
            Duration took = Duration.ofNanos(System.nanoTime() - left);
            System.out.println(kind + ": a ping behind 90 callers who are gone took " + took.toMillis() + " ms");
            assertThat(took).isLessThan(grace.multipliedBy(4));
            await().until(() -> stage.turnstile.inside() == 0);
            assertThat(stage.scrape().count("hangup_cancelled_total")).isEqualTo(POLLS);
        }
    }

    @EachContainer
    @DisplayName("case 76: a pool held for callers who left shows it, and /health answers soon after they leave")
    void healthAnswersSoonAfterThePoolWasAbandoned(ContainerKind kind) throws IOException {
        Gate gate = new Gate();
        try (HikariDataSource pool = Postgres.shared().pool(POOL)) {
            DataSource dataSource = CallerAwareDataSource.wrap(pool, "polled");
            Site site = new Site()
                    .maxThreads(POOL)
                    .servlet("/query", holding(dataSource, (request, response, statement) -> statement.execute(SLEEP)))
                    .servlet(
                            "/observed",
                            holding(dataSource, (request, response, statement) -> gate.service(request, response)))
                    .servlet("/health", holding(dataSource, (request, response, statement) -> {
                        statement.execute("select 1");
                        response.getWriter().print("healthy");
                    }));
            try (Stage stage = Stage.start(kind, POLICY, site)) {
                abandon(stage, "/observed", () -> gate.entered.get() == POOL);
                await().untilAsserted(() -> {
                    Scrape scrape = stage.scrape();
                    assertThat(scrape.sum("hangup_pool_share", label("pool", "workers")))
                            .isBetween(0.9, 1.0);
                    assertThat(scrape.sum("hangup_pool_share", label("pool", "jdbc:polled")))
                            .isBetween(0.9, 1.0);
                });
                gate.open();
                await().until(() -> stage.turnstile.inside() == 0);
                await().untilAsserted(() -> assertThat(stage.scrape().momentary())
                        .allSatisfy((name, value) -> assertThat(value).as(name).isZero()));

                try (RawClient probe = stage.client().patience(HEALTHY_WITHIN)) {
                    abandon(stage, "/query", () -> {
                        if (Postgres.shared().runningQueries(SLEEP) < POOL) {
                            return false;
                        }
                        probe.get("/health");
                        return true;
                    });
                    assertThat(probe.response().body()).isEqualTo("healthy");
                }
                assertThat(stage.scrape().sum("hangup_pool_unowned_seconds_total", label("pool", "jdbc:polled")))
                        .isPositive();
            }
        }
    }

    private static void abandon(Stage stage, String path, Callable<Boolean> held) throws IOException {
        List<RawClient> callers = new ArrayList<>();
        for (int i = 0; i < POOL; i++) {
            callers.add(stage.client().get(path));
        }
        await().until(held);
        for (RawClient caller : callers) {
            caller.close();
        }
    }

    private interface Use {
        void use(HttpServletRequest request, HttpServletResponse response, Statement statement) throws Exception;
    }

    private static LambdaServlet holding(DataSource dataSource, Use use) {
        return new LambdaServlet((request, response) -> {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                use.use(request, response, statement);
            }
        });
    }

    /** A caller who waits, and since when. */
    private record Poll(RawClient client, long since) {}
}
