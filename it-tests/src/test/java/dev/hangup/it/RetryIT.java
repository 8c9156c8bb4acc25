package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.call.Call;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

/** An application that takes a cancel for bad luck, and tries again. */
final class RetryIT {

    private static final int ATTEMPTS = 8;
    private static final Duration CHEAP = Duration.ofSeconds(1);
    /** Counts the attempts that reach the database, also those that are rolled back. */
    private static final String SQL = "select nextval('attempts'), pg_sleep(60) /* retried */";

    private static final Policy POLICY =
            Policy.builder().endpoint("GET /work", Entry.of(Mode.CANCEL)).build();

    @EachContainer
    @DisplayName("case 43: eight attempts at a cancelled query are eight failures, seven of them cheap, and one query")
    void noFurtherSqlIsSent(ContainerKind kind) throws Exception {
        try (HikariDataSource pool = Postgres.shared().pool(2)) {
            DataSource dataSource = CallerAwareDataSource.wrap(pool, "retry");
            noFurtherSqlIsSent(kind, () -> {
                try (Connection connection = dataSource.getConnection();
                        Statement statement = connection.createStatement()) {
                    return statement.execute(SQL);
                }
            });
            await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
        }
    }

    /** The same within one transaction. */
    @EachContainer
    void noFurtherSqlIsSentOnAConnectionThatIsKept(ContainerKind kind) throws Exception {
        try (HikariDataSource pool = Postgres.shared().pool(2)) {
            DataSource dataSource = CallerAwareDataSource.wrap(pool, "retry");
            AtomicReference<@Nullable Connection> kept = new AtomicReference<>();
            noFurtherSqlIsSent(kind, () -> {
                Connection connection = kept.get();
                if (connection == null) {
                    connection = dataSource.getConnection();
                    connection.setAutoCommit(false);
                    kept.set(connection);
                }
                return connection.createStatement().execute(SQL);
            });
            await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
        }
    }

    private static void noFurtherSqlIsSent(ContainerKind kind, Callable<Boolean> work) throws Exception {
        Postgres.shared().execute("drop sequence if exists attempts").execute("create sequence attempts");
        List<Exception> failures = failures(kind, work, () -> Postgres.shared().runningQueries("/* retried */") == 1);
        assertThat(failures)
                .allMatch(failure -> failure instanceof SQLException sql && "HY008".equals(sql.getSQLState()));
        try (Connection control = Postgres.shared().dataSource().getConnection();
                Statement statement = control.createStatement();
                ResultSet attempts = statement.executeQuery("select last_value from attempts")) {
            assertThat(attempts.next()).isTrue();
            assertThat(attempts.getInt(1)).isEqualTo(1);
        }
    }

    @EachContainer
    void noFurtherTaskIsStarted(ContainerKind kind) throws Exception {
        AtomicInteger started = new AtomicInteger();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            failures(
                    kind,
                    () -> {
                        Call call = Call.current();
                        call.executor(threads)
                                .submit(() -> {
                                    started.incrementAndGet();
                                    Thread.sleep(60_000);
                                    return true;
                                })
                                .get();
                        return true;
                    },
                    () -> started.get() == 1);
            assertThat(started).hasValue(1);
        } finally {
            threads.shutdownNow();
        }
    }

    /** What the attempts fail with: the first after a minute, unless it is cancelled, the others at once. */
    private static List<Exception> failures(ContainerKind kind, Callable<Boolean> work, Callable<Boolean> atWork)
            throws Exception {
        List<Exception> failures = new CopyOnWriteArrayList<>();
        AtomicLong firstFailed = new AtomicLong();
        AtomicLong lastFailed = new AtomicLong();
        Site site = new Site().servlet("/work", new LambdaServlet((request, response) -> {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                try {
                    response.getWriter().print(work.call());
                } catch (Exception e) {
                    failures.add(e);
                    lastFailed.set(System.nanoTime());
                    firstFailed.compareAndSet(0, System.nanoTime());
                }
            }
        }));
        try (Stage stage = Stage.start(kind, POLICY, site)) {
            RawClient caller = stage.client().get("/work");
            await().until(atWork);
            caller.close();
            await().until(() -> stage.turnstile.inside() == 0);
            assertThat(failures).hasSize(ATTEMPTS);
            assertThat(Duration.ofNanos(lastFailed.get() - firstFailed.get())).isLessThan(CHEAP);
            assertThat(stage.scrape().count("hangup_calls_total", Scrape.outcome("cancelled")))
                    .isEqualTo(1);
        }
        return failures;
    }
}
