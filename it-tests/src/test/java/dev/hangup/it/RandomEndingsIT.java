package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.hangup.it.Plan.Ending;
import dev.hangup.it.Plan.Work;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;

/**
 * Thousands of requests on few connections, most of them cancelled in the midst of their work: afterwards nothing is left of
 * them, and none of them has got anything of another's.
 */
final class RandomEndingsIT {

    private static final int CALLERS = 24;
    private static final int CONNECTIONS = 16;
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final String OF_THE_JVM =
            "awaitility.*|Common-Cleaner|process reaper.*|ForkJoinPool.commonPool.*|Keep-Alive.*";
    private static final Entry CANCEL = Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(30));
    private static final Entry LATE = CANCEL.normal(Duration.ofMillis(120));
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /task/{ending}", CANCEL)
            .endpoint("POST /task/{ending}", CANCEL)
            .endpoint("GET /late/{ending}", LATE)
            .endpoint("POST /late/{ending}", LATE)
            .endpoint("GET /observed/{ending}", CANCEL.mode(Mode.OBSERVE))
            .endpoint("POST /observed/{ending}", CANCEL.mode(Mode.OBSERVE))
            .build();

    @EachContainer
    void nothingIsLeftOfAThousandCancels(ContainerKind kind) throws Exception {
        nothingIsLeft(kind, 1_000);
    }

    @EachContainer
    @Tag("soak")
    void nothingIsLeftOfTenThousandCancels(ContainerKind kind) throws Exception {
        nothingIsLeft(kind, 10_000);
    }

    private static void nothingIsLeft(ContainerKind kind, int cancels) throws Exception {
        List<Plan> plans = Plan.draw(Seed.random(kind + ", " + cancels + " cancels"), cancels);
        Postgres.shared().execute("drop table if exists endings").execute("create table endings (id int primary key)");
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Recycled recycled = new Recycled();
        ExecutorService asyncWorkers = Executors.newFixedThreadPool(CALLERS);
        try (Silence silence = Silence.ofContainers();
                HikariDataSource pool = Postgres.shared().pool(CONNECTIONS)) {
            PlannedServlet servlet =
                    new PlannedServlet(plans, CallerAwareDataSource.wrap(pool, "endings"), asyncWorkers);
            Site site = new Site().maxThreads(CALLERS).filter(recycled).servlet("/*", servlet);
            try (Stage stage = Stage.start(kind, POLICY, site)) {
                send(stage, plans);
                nothingIsLeft(stage, servlet, pool.getHikariPoolMXBean());
                assertThat(stage.scrape().count("hangup_cancelled_total")).isGreaterThan(cancels * 9L / 10);
                assertThat(recycled.touches).isEmpty();
                assertThat(servlet.sentAfterFailure).hasValue(0);
                try (PlannedCaller last = new PlannedCaller(stage)) {
                    last.call(plans.stream()
                            .filter(plan ->
                                    plan.ending() == Ending.OK && plan.work() == Work.SLEEP && !plan.transaction())
                            .findFirst()
                            .orElseThrow());
                }
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
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread ->
                                !before.contains(thread) && !thread.getName().matches(OF_THE_JVM))
                        .isEmpty());
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
            try (PlannedCaller one = new PlannedCaller(stage)) {
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
}
