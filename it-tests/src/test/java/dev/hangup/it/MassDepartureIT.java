package dev.hangup.it;

import static dev.hangup.it.Scrape.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.jdbc.JdbcOptions;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;

/** Two hundred callers leave in the same instant, each of whom waits for a statement of sixty seconds. */
@Tag("alone")
final class MassDepartureIT {

    private static final int CALLERS = 200;
    /** Two hundred connections are opened one after the other, on a machine that may be busy. */
    private static final Duration TO_BE_READY = Duration.ofSeconds(60);

    private static final Duration FREE_WITHIN = Duration.ofSeconds(5);
    private static final int CANCELS_AT_ONCE = 8;
    private static final String WATCHER = "hangup-watcher";
    private static final Duration WATCHER_WITHIN = Duration.ofMillis(100);
    private static final Duration TO_THE_DATABASE = Duration.ofMillis(20);
    private static final String SLEEP = "select pg_sleep(60) /* mass */";

    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /query", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(60)))
            .build();

    @EachContainer
    void allAreFreeTheWatcherNeverBlocksAndTheDatabaseIsSpared(ContainerKind kind) throws Exception {
        try (CancelCountingProxy proxy =
                        new CancelCountingProxy(Postgres.shared().port(), TO_THE_DATABASE);
                HikariDataSource pool = Postgres.shared().poolThrough(proxy.port(), CALLERS)) {
            await().atMost(TO_BE_READY).until(() -> pool.getHikariPoolMXBean().getTotalConnections() == CALLERS);
            DataSource dataSource =
                    CallerAwareDataSource.wrap(pool, "mass", JdbcOptions.DEFAULT.withoutControlConnection());
            Site site = new Site().maxThreads(CALLERS + 5).servlet("/query", new LambdaServlet((request, response) -> {
                try (Connection connection = dataSource.getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute(SLEEP);
                }
            }));
            try (Stage stage = Stage.start(kind, POLICY, site)) {
                List<RawClient> callers = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    callers.add(stage.client().get("/query"));
                }
                await().atMost(TO_BE_READY).until(() -> Postgres.shared().runningQueries(SLEEP) == CALLERS);
                leave(kind, stage, callers, proxy);
                assertThat(Postgres.shared().runningQueries(SLEEP)).isZero();
                assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
                // Where the cancels took longer than the escalation, which aborts connections, the pool fills itself up
                // again.
                await().atMost(TO_BE_READY)
                        .until(() -> pool.getHikariPoolMXBean().getTotalConnections() == CALLERS);
                assertThat(stage.turnstile.interrupted).hasValue(0);
                assertThat(stage.scrape().count("hangup_calls_total", outcome("cancelled")))
                        .isEqualTo(CALLERS);
            }
        }
    }

    private static void leave(ContainerKind kind, Stage stage, List<RawClient> callers, CancelCountingProxy proxy)
            throws IOException {
        Duration delayedBefore = RunDelay.of(WATCHER);
        long departed = System.nanoTime();
        for (RawClient caller : callers) {
            caller.close();
        }
        await().atMost(FREE_WITHIN).until(() -> stage.turnstile.inside() == 0);
        Duration freeAfter = Duration.ofNanos(System.nanoTime() - departed);
        Duration delayed = RunDelay.of(WATCHER).minus(delayedBefore);
        Duration longestRound = stage.hangup.longestWatcherRound();
        System.out.printf(
                Locale.ROOT,
                "%s: %d free after %d ms; %d cancel requests, at most %d at once;"
                        + " the watcher's longest round %.1f ms (it lacked a processor for %.1f ms in all)%n",
                kind,
                callers.size(),
                freeAfter.toMillis(),
                proxy.cancels(),
                proxy.mostAtOnce(),
                longestRound.toNanos() / 1e6,
                delayed.toNanos() / 1e6);

        assertThat(freeAfter).isLessThan(FREE_WITHIN);
        assertThat(proxy.cancels()).isGreaterThanOrEqualTo(callers.size());
        assertThat(proxy.mostAtOnce()).isBetween(2, CANCELS_AT_ONCE);
        // What the machine has held up is not the watcher's doing; waiting for anything else, or too much work, is.
        assertThat(longestRound).isLessThan(WATCHER_WITHIN.plus(delayed));
    }
}
