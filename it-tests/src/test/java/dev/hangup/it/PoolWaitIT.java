package dev.hangup.it;

import static dev.hangup.it.Scrape.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;

/** The caller leaves while its worker stands in the queue for a connection. */
final class PoolWaitIT {

    private static final int WAITING = 10;
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /queue", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(30)))
            .build();

    @EachContainer
    @DisplayName("case 42: a cancel in the queue for a connection ends the wait and leaves the pool whole")
    void aCancelInTheQueueLeavesThePoolWhole(ContainerKind kind) throws IOException, SQLException {
        Queue<SQLException> failures = new ConcurrentLinkedQueue<>();
        try (HikariDataSource pool = Postgres.shared().pool(1)) {
            HikariPoolMXBean state = pool.getHikariPoolMXBean();
            DataSource dataSource = CallerAwareDataSource.wrap(pool, "queue");
            Site site = new Site().servlet("/queue", new LambdaServlet((request, response) -> {
                try (Connection connection = dataSource.getConnection()) {
                    response.getWriter().print(connection.isValid(1));
                } catch (SQLException e) {
                    failures.add(e);
                    throw e;
                }
            }));
            try (Stage stage = Stage.start(kind, POLICY, site);
                    RawClient staying = stage.client()) {
                List<RawClient> leaving = new ArrayList<>();
                try (Connection held = pool.getConnection()) {
                    assertThat(held.isValid(1)).isTrue();
                    for (int i = 0; i < WAITING; i++) {
                        leaving.add(stage.client().get("/queue"));
                    }
                    await().until(() -> state.getThreadsAwaitingConnection() == WAITING);
                    for (RawClient client : leaving) {
                        client.close();
                    }
                    await().atMost(Duration.ofSeconds(1)).until(() -> stage.turnstile.inside() == 0);
                    assertThat(state.getThreadsAwaitingConnection()).isZero();
                    assertThat(state.getTotalConnections()).isEqualTo(1);
                    staying.get("/queue");
                }
                assertThat(staying.response().body()).isEqualTo("true");
                assertThat(state.getActiveConnections()).isZero();
                assertThat(state.getTotalConnections()).isEqualTo(1);
                assertThat(failures).hasSize(WAITING).allSatisfy(failure -> assertThat(failure.getSQLState())
                        .isEqualTo("HY008"));
                assertThat(stage.turnstile.interrupted).hasValue(0);
                assertThat(stage.scrape().count("hangup_calls_total", outcome("cancelled")))
                        .isEqualTo(WAITING);
            }
        }
    }
}
