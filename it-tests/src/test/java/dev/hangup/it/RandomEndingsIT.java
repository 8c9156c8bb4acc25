package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.hangup.it.Plan.Work;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;

/**
 * Thousands of requests on few connections, each with an ending drawn by lot: afterwards nothing is left of them, and none of
 * them has got anything of another's. The seed is printed; {@code -Dendings.seed} repeats a run as far as threads allow.
 */
final class RandomEndingsIT {

    private static final int CALLERS = 24;
    private static final int CONNECTIONS = 16;
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Entry CANCEL = Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(30));
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ofMillis(20)))
            .endpoint("GET /work/{ending}", CANCEL)
            .endpoint("GET /late/{ending}", CANCEL.normal(Duration.ofMillis(120)))
            .endpoint("GET /observed/{ending}", CANCEL.mode(Mode.OBSERVE))
            .build();

    @EachContainer
    void nothingIsLeftOfTwoThousandRequests(ContainerKind kind) throws Exception {
        nothingIsLeft(kind, 2_000);
    }

    @EachContainer
    @Tag("soak")
    void nothingIsLeftOfTenThousandRequests(ContainerKind kind) throws Exception {
        nothingIsLeft(kind, 10_000);
    }

    private static void nothingIsLeft(ContainerKind kind, int requests) throws Exception {
        long seed = Long.getLong("endings.seed", System.nanoTime());
        System.out.printf(Locale.ROOT, "%s: %d random endings, seed %d%n", kind, requests, seed);
        Random random = new Random(seed);
        List<Plan> plans = new ArrayList<>();
        for (int id = 0; id < requests; id++) {
            plans.add(Plan.draw(id, random));
        }
        Postgres.shared().execute("drop table if exists endings").execute("create table endings (id int primary key)");
        ExecutorService asyncWorkers = Executors.newFixedThreadPool(CALLERS);
        try (Silence silence = Silence.ofContainers();
                HikariDataSource pool = Postgres.shared().pool(CONNECTIONS)) {
            PlannedServlet servlet =
                    new PlannedServlet(plans, CallerAwareDataSource.wrap(pool, "endings"), asyncWorkers);
            Site site = new Site().maxThreads(CALLERS).servlet("/*", servlet);
            try (Stage stage = Stage.start(kind, POLICY, site)) {
                send(stage, plans);
                nothingIsLeft(stage, servlet, pool.getHikariPoolMXBean());
                stage.hangup.close();
                assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.startsWith("hangup"));
                int expired = (int) stage.scrape().count("hangup_calls_total", Scrape.outcome("expired_in_queue"));
                await().atMost(SOON).untilAsserted(() -> {
                    System.gc();
                    assertThat(servlet.calls)
                            .hasSize(stage.turnstile.requests.get() - expired)
                            .allMatch(call -> call.get() == null);
                });
            }
        } finally {
            asyncWorkers.shutdownNow();
        }
    }

    private static void nothingIsLeft(Stage stage, PlannedServlet servlet, HikariPoolMXBean pool) {
        int arrived = stage.turnstile.requests.get();
        await().atMost(SOON).untilAsserted(() -> {
            assertThat(stage.scrape().count("hangup_calls_total")).isEqualTo(arrived);
            assertThat(stage.turnstile.inside()).isZero();
            assertThat(pool.getActiveConnections()).isZero();
            assertThat(pool.getThreadsAwaitingConnection()).isZero();
            assertThat(pool.getIdleConnections()).isEqualTo(CONNECTIONS);
        });
        Scrape scrape = stage.scrape();
        scrape.series().forEach((name, value) -> {
            if (name.matches("hangup_(calls|cancelled|transactions)_total.*")) {
                System.out.println("  " + name + " " + value.longValue());
            }
        });
        assertThat(scrape.momentary()).hasSizeGreaterThanOrEqualTo(10);
        assertThat(scrape.momentary())
                .allSatisfy((name, value) -> assertThat(value).as(name).isZero());
        assertThat(stage.turnstile.interrupted).hasValue(0);
        assertThat(Postgres.shared().openTransactions()).isZero();
        assertThat(Postgres.shared().ids("endings")).isEqualTo(servlet.committed);
        assertThat(servlet.committedTooLate).isEmpty();
        assertThat(scrape.count("hangup_transactions_total", Scrape.outcome("committed"))
                        + scrape.count("hangup_transactions_total", Scrape.outcome("too_late")))
                .isEqualTo(servlet.committed.size());
    }

    private static void send(Stage stage, List<Plan> plans) throws Exception {
        AtomicInteger next = new AtomicInteger();
        Callable<Boolean> caller = () -> {
            try (Caller one = new Caller(stage)) {
                for (int id = next.getAndIncrement(); id < plans.size(); id = next.getAndIncrement()) {
                    one.call(plans.get(id));
                }
            }
            return true;
        };
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            for (Future<Boolean> done : callers.invokeAll(java.util.Collections.nCopies(CALLERS, caller))) {
                done.get();
            }
        } finally {
            callers.shutdownNow();
        }
    }

    /** One caller after the other on one connection, as long as they stay. */
    private static final class Caller implements AutoCloseable {

        private final Stage stage;
        private RawClient client;

        Caller(Stage stage) throws IOException {
            this.stage = stage;
            this.client = stage.client();
        }

        void call(Plan plan) throws Exception {
            client.get(plan.path());
            switch (plan.ending()) {
                case FIN, ASYNC_FIN, DETACHED_FIN -> {
                    Thread.sleep(plan.leaving().toMillis());
                    client.close();
                }
                case RST, ASYNC_RST -> {
                    Thread.sleep(plan.leaving().toMillis());
                    client.rst();
                }
                default -> {
                    if (!stays(plan)) {
                        break;
                    }
                    return;
                }
            }
            client = stage.client();
        }

        /** Reads the answer; false if the connection has ended. */
        private boolean stays(Plan plan) throws IOException {
            RawResponse response;
            try {
                response = client.response();
            } catch (IOException e) {
                // Truncated, and seen to be: cut in mid-stream.
                assertThat(plan)
                        .as("%s", e)
                        .matches(cut -> cut.ending().passesItsDeadline() && cut.work() == Work.STREAM, "a cut stream");
                return false;
            }
            int expected =
                    switch (plan.ending()) {
                        case SEND_ERROR, CANCEL -> 503;
                        case EXCEPTION, ASYNC_TIMEOUT -> 500;
                        case DEADLINE, ASYNC_DEADLINE -> 504;
                        default -> 200;
                    };
            assertThat(response.status()).as("%s: %s", plan, response.body()).isEqualTo(expected);
            if (expected == 200) {
                assertThat(response.body()).as("%s", plan).endsWith(" " + plan.id());
            }
            return !"close".equalsIgnoreCase(response.header("Connection"));
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }
}
