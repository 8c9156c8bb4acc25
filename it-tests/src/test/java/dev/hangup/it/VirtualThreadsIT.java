package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Workers that are virtual threads: an interrupt would close whatever socket they are reading from. */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
final class VirtualThreadsIT {

    private static final int CALLERS = 20;
    private static final String SLEEP = "select pg_sleep(60) /* virtual */";
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /sleep", Entry.of(Mode.CANCEL))
            .endpoint("GET /query", Entry.of(Mode.CANCEL))
            .build();

    @EachContainer
    @DisplayName("case 41: a query on a virtual thread is cancelled by its statement, and no connection is lost")
    void departureFreesVirtualWorkersAndKeepsTheirConnections(ContainerKind kind) throws Exception {
        AtomicInteger virtual = new AtomicInteger();
        try (HikariDataSource pool = Postgres.shared().pool(CALLERS)) {
            await().until(() -> pool.getHikariPoolMXBean().getTotalConnections() == CALLERS);
            DataSource dataSource = CallerAwareDataSource.wrap(pool, "virtual");
            Queue<String> states = new ConcurrentLinkedQueue<>();
            Site site = new Site()
                    .virtualThreads()
                    .servlet("/sleep", new LambdaServlet((request, response) -> {
                        virtual.addAndGet(isVirtual() ? 1 : 0);
                        Thread.sleep(60_000);
                    }))
                    .servlet("/query", new LambdaServlet((request, response) -> {
                        try (Connection connection = dataSource.getConnection();
                                Statement statement = connection.createStatement()) {
                            virtual.addAndGet(isVirtual() ? 1 : 0);
                            statement.execute(SLEEP);
                        } catch (SQLException e) {
                            states.add(e.getCause() instanceof SQLException cause ? cause.getSQLState() : e.toString());
                            throw e;
                        }
                    }));
            try (Stage stage = Stage.start(kind, POLICY, site)) {
                List<RawClient> callers = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    callers.add(stage.client().get("/sleep"));
                    callers.add(stage.client().get("/query"));
                }
                await().until(() -> virtual.get() == 2 * CALLERS);
                await().until(() -> Postgres.shared().runningQueries(SLEEP) == CALLERS);
                for (RawClient caller : callers) {
                    caller.close();
                }
                await().until(() -> stage.turnstile.inside() == 0);
                await().until(() -> Postgres.shared().runningQueries(SLEEP) == 0);
                await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
                assertThat(stage.scrape().count("hangup_cancelled_total")).isEqualTo(2 * CALLERS);
                assertThat(stage.turnstile.interrupted).hasValue(0);
                // The database's own "query canceled", and not what a closed socket looks like.
                assertThat(states).hasSize(CALLERS).containsOnly("57014");
                await().until(() -> pool.getHikariPoolMXBean().getTotalConnections() == CALLERS);
            }
        }
    }

    /** By reflection, because the tests are compiled for JDK 17. */
    private static boolean isVirtual() {
        try {
            Method method = Thread.class.getMethod("isVirtual");
            return (boolean) method.invoke(Thread.currentThread());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
