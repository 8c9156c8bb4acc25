package dev.hangup.it;

import static dev.hangup.it.Scrape.outcome;
import static dev.hangup.it.Scrape.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.hangup.call.Call;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;

/**
 * The promise: whatever the worker is in when its caller leaves, by FIN or by RST, it is free within a second, the database
 * works on nothing two seconds later, and nothing was committed, although this application swallows every exception and
 * commits all the same.
 */
@Tag("alone")
final class ReleaseIT {

    private static final int OF_EACH = 50;
    private static final Duration FREE_WITHIN = Duration.ofSeconds(1);
    private static final Duration QUIET_WITHIN = Duration.ofSeconds(2);
    /** The database and the callers share the machine with whatever else is there. */
    private static final Duration TO_BE_READY = Duration.ofSeconds(60);

    private static final String MARKER = "/* release */";

    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /{work}", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(120)))
            .build();

    /** What the worker is in when its caller leaves. */
    private enum Work {
        SLEEP {
            @Override
            void run(Connection connection, ReentrantLock held) throws InterruptedException {
                Thread.sleep(60_000);
            }
        },
        LOCK {
            @Override
            void run(Connection connection, ReentrantLock held) throws InterruptedException {
                held.lockInterruptibly();
                held.unlock();
            }
        },
        LOOP {
            @Override
            void run(Connection connection, ReentrantLock held) {
                Call call = Call.current();
                while (!call.isCancelled()) {
                    Thread.onSpinWait();
                }
            }
        },
        STATEMENT {
            @Override
            void run(Connection connection, ReentrantLock held) throws SQLException {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("select pg_sleep(60) " + MARKER);
                }
            }
        };

        /** How many callers come together: the loops share two cores with everything else. */
        int atOnce() {
            return this == LOOP ? 10 : 2 * OF_EACH;
        }

        abstract void run(Connection connection, ReentrantLock held) throws InterruptedException, SQLException;
    }

    @EachContainer
    void everyWorkerIsFreeAndNothingIsCommitted(ContainerKind kind) throws Exception {
        Postgres.shared().execute("drop table if exists release").execute("create table release (id text)");
        try (HikariDataSource pool = Postgres.shared().pool(2 * OF_EACH)) {
            await().atMost(TO_BE_READY).until(() -> pool.getHikariPoolMXBean().getTotalConnections() == 2 * OF_EACH);
            Application application = new Application(CallerAwareDataSource.wrap(pool, "release"));
            Site site = new Site().maxThreads(2 * OF_EACH + 5).servlet("/*", new LambdaServlet(application::handle));
            try (Stage stage = Stage.start(kind, POLICY, site)) {
                application.held.lock();
                int leavings = 0;
                for (Work work : Work.values()) {
                    Departures departures = new Departures(kind, work);
                    for (int first = 0; first < 2 * OF_EACH; first += work.atOnce()) {
                        departures.leave(stage, application, first);
                    }
                    departures.report();
                    leavings += 2 * OF_EACH;
                    nothingIsLeft(stage, pool.getHikariPoolMXBean(), leavings);
                }
                assertThat(application.refused).hasValue(leavings);
                assertThat(stage.turnstile.interrupted).hasValue(0);
            }
        }
    }

    private static void nothingIsLeft(Stage stage, HikariPoolMXBean pool, int leavings) {
        assertThat(Postgres.shared().rows("release")).isZero();
        await().atMost(FREE_WITHIN).untilAsserted(() -> {
            assertThat(pool.getActiveConnections()).isZero();
            assertThat(pool.getTotalConnections()).isEqualTo(2 * OF_EACH);
            assertThat(stage.container.busyWorkers()).isLessThanOrEqualTo(1);
        });
        Scrape scrape = stage.scrape();
        assertThat(scrape.count("hangup_cancelled_total", reason("caller_closed")))
                .isEqualTo(leavings / 2);
        assertThat(scrape.count("hangup_cancelled_total", reason("caller_reset")))
                .isEqualTo(leavings / 2);
        assertThat(scrape.count("hangup_calls_total", outcome("cancelled"))).isEqualTo(leavings);
    }

    /** The departures of one kind of work: the even ones by FIN, the odd ones by RST. */
    private static final class Departures {

        private final ContainerKind kind;
        private final Work work;
        private final Map<Integer, Double> millis = new TreeMap<>();

        Departures(ContainerKind kind, Work work) {
            this.kind = kind;
            this.work = work;
        }

        /** A group of callers comes, waits until all their workers are at it, and leaves at once. */
        void leave(Stage stage, Application application, int first) throws IOException {
            int group = work.atOnce();
            List<RawClient> clients = new ArrayList<>();
            long[] departed = new long[group];
            application.atWork.set(0);
            try {
                for (int i = 0; i < group; i++) {
                    clients.add(stage.client().get("/" + work + "?" + id(first + i)));
                }
                await().atMost(TO_BE_READY)
                        .untilAsserted(() -> assertThat(application.atWork).hasValue(group));
                if (work == Work.STATEMENT) {
                    await().atMost(TO_BE_READY).until(() -> Postgres.shared().runningQueries(MARKER) == group);
                }
                for (int i = 0; i < group; i++) {
                    departed[i] = System.nanoTime();
                    if (i % 2 == 1) {
                        clients.get(i).rst();
                    } else {
                        clients.get(i).close();
                    }
                }
                await().atMost(QUIET_WITHIN).until(() -> Postgres.shared().runningQueries(MARKER) == 0);
                await().until(() -> stage.turnstile.inside() == 0);
            } finally {
                for (RawClient client : clients) {
                    client.close();
                }
            }
            for (int i = 0; i < group; i++) {
                millis.put(first + i, (stage.turnstile.leftAt(id(first + i)) - departed[i]) / 1e6);
            }
        }

        private String id(int number) {
            return work + "-" + number;
        }

        void report() {
            for (int parity = 0; parity < 2; parity++) {
                int remainder = parity;
                List<Double> latencies = millis.entrySet().stream()
                        .filter(one -> one.getKey() % 2 == remainder)
                        .map(Map.Entry::getValue)
                        .sorted()
                        .toList();
                double longest = latencies.get(OF_EACH - 1);
                System.out.printf(
                        Locale.ROOT,
                        "%s, worker in %s, %s: %d released, p50 %.1f ms, max %.1f ms%n",
                        kind,
                        work,
                        parity == 0 ? "FIN" : "RST",
                        latencies.size(),
                        latencies.get(OF_EACH / 2),
                        longest);
                assertThat(longest).isLessThan((double) FREE_WITHIN.toMillis());
            }
        }
    }

    /** Works in a transaction, and takes no exception for an answer. */
    private static final class Application {

        final ReentrantLock held = new ReentrantLock();
        final AtomicInteger atWork = new AtomicInteger();
        final AtomicInteger refused = new AtomicInteger();
        private final DataSource dataSource;

        Application(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        void handle(HttpServletRequest request, HttpServletResponse response) throws SQLException {
            Work work = Work.valueOf(request.getPathInfo().substring(1));
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement()) {
                    statement.executeUpdate("insert into release values ('" + request.getQueryString() + "')");
                }
                atWork.incrementAndGet();
                try {
                    work.run(connection, held);
                } catch (InterruptedException | SQLException swallowed) {
                    response.setStatus(500);
                }
                connection.commit();
            } catch (SQLException e) {
                refused.incrementAndGet();
                throw e;
            }
        }
    }
}
