package dev.hangup.it.jersey;

import static dev.hangup.it.Scrape.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.H2Client;
import dev.hangup.it.H2Exchange;
import dev.hangup.it.Logged;
import dev.hangup.it.Postgres;
import dev.hangup.it.RawClient;
import dev.hangup.it.Site;
import dev.hangup.it.Stage;
import dev.hangup.it.Wire;
import dev.hangup.jdbc.CallerAwareDataSource;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyBuilder;
import dev.hangup.policy.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.glassfish.jersey.server.ResourceConfig;

/**
 * The table: each way in which a resource works, in each container, and each way in which its call ends. The work stops, its
 * transaction is rolled back, the response ends, the callback is told once, and the call ends once.
 */
@EachLine
final class WaysOfWorkingIT {
    private static final List<String> WAYS = List.of(
            "sync", "managed", "suspended", "managed-suspended", "stage", "stream", "late-stream", "sse", "chunked");
    private static final List<String> TELL_OF_DEPARTURES = List.of("suspended", "managed-suspended");
    private static final List<String> BEGIN_AT_ONCE = List.of("stream", "sse", "chunked");

    private static final Duration DEADLINE = Duration.ofSeconds(3);
    private static final Policy POLICY = policy();

    private static Policy policy() {
        PolicyBuilder policy = Policy.builder().settings(Settings.DEFAULTS.withGrace(Duration.ZERO));
        for (String way : WAYS) {
            policy.endpoint("GET /" + way + "/{id}", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(120)));
            policy.endpoint("GET /" + way + "/deadline", Entry.of(Mode.CANCEL).normal(DEADLINE));
        }
        return policy.build();
    }

    /** How a caller leaves. */
    private interface Leave {
        void now() throws IOException;
    }

    @EachContainer
    void stopsWithItsCallOverHttp1(ContainerKind kind) throws Exception {
        try (Rig rig = new Rig(kind, Wire.PLAIN)) {
            Map<String, Leave> callers = new LinkedHashMap<>();
            for (String way : WAYS) {
                RawClient closing = rig.stage.client().get("/" + way + "/fin");
                RawClient resetting = rig.stage.client().get("/" + way + "/rst");
                callers.put(way + "/fin", closing::close);
                callers.put(way + "/rst", resetting::rst);
            }
            rig.leave(callers);
            rig.assertNothingIsLeft(callers.size());
        }
    }

    @EachContainer
    void stopsWithItsStreamOverHttp2(ContainerKind kind) throws Exception {
        try (Rig rig = new Rig(kind, Wire.H2C);
                H2Client client = H2Client.connect(rig.stage.container, Wire.H2C)) {
            Map<String, Leave> callers = new LinkedHashMap<>();
            for (String way : WAYS) {
                H2Exchange exchange = client.get("/" + way + "/reset");
                callers.put(way + "/reset", exchange::reset);
            }
            rig.leave(callers);
            rig.assertNothingIsLeft(callers.size());
        }
    }

    @EachContainer
    void stopsAtItsDeadlineAndAnswers(ContainerKind kind) throws Exception {
        try (Rig rig = new Rig(kind, Wire.PLAIN)) {
            Map<String, RawClient> callers = new LinkedHashMap<>();
            long began = System.nanoTime();
            for (String way : WAYS) {
                callers.put(way, rig.stage.client().get("/" + way + "/deadline"));
            }
            for (Map.Entry<String, RawClient> caller : callers.entrySet()) {
                RawClient client = caller.getValue();
                if (BEGIN_AT_ONCE.contains(caller.getKey())) {
                    assertThat(client.head().status()).isEqualTo(200);
                    // The head once more, or the rest without its end: in either case an answer that is not whole.
                    assertThatThrownBy(client::response).as(caller.getKey()).isInstanceOf(IOException.class);
                } else {
                    assertThat(client.response().status()).as(caller.getKey()).isEqualTo(504);
                }
            }
            await().untilAsserted(() -> assertThat(rig.job.stopped()).hasSize(WAYS.size()));
            System.out.printf(
                    "%s: the last stopped %d ms after the first deadline%n",
                    kind, rig.job.last() / 1_000_000 - (began / 1_000_000 + DEADLINE.toMillis()));
            assertThat(rig.job.told()).isEmpty();
            rig.assertNothingIsLeft(WAYS.size());
            for (RawClient client : callers.values()) {
                client.close();
            }
        }
    }

    /** A container with the resource over a wrapped pool, and what the work has seen. */
    private static final class Rig implements AutoCloseable {
        private final ContainerKind kind;
        private final ExecutorService own = Executors.newCachedThreadPool();
        private final HikariDataSource pool;
        final Transactions job;
        final Stage stage;
        final Logged logged;

        Rig(ContainerKind kind, Wire wire) {
            this.kind = kind;
            HikariConfig config = new HikariConfig();
            config.setDataSource(Postgres.shared().dataSource());
            config.setMaximumPoolSize(2 * WAYS.size());
            pool = new HikariDataSource(config);
            job = new Transactions(CallerAwareDataSource.wrap(pool, "ways"));
            stage = Stage.start(
                    kind,
                    POLICY,
                    JerseySite.with(
                            new Site().wire(wire),
                            "/*",
                            new ResourceConfig().registerInstances(new WorkOfEachWay(job, own))));
            logged = Logged.begin();
        }

        /** Once all are at work. */
        void leave(Map<String, Leave> callers) throws IOException {
            await().untilAsserted(() -> assertThat(job.working()).containsAll(callers.keySet()));
            long left = System.nanoTime();
            for (Leave caller : callers.values()) {
                caller.now();
            }
            await().untilAsserted(() -> assertThat(job.stopped()).containsAll(callers.keySet()));
            System.out.printf(
                    "%s: %d ways stopped within %d ms, the last %s%n",
                    kind, callers.size(), (job.last() - left) / 1_000_000, job.lastCall());
            List<String> told = callers.keySet().stream()
                    .filter(call -> TELL_OF_DEPARTURES.contains(call.substring(0, call.indexOf('/'))))
                    .toList();
            await().untilAsserted(() -> assertThat(job.told()).containsExactlyInAnyOrderElementsOf(told));
        }

        void assertNothingIsLeft(int calls) {
            await().untilAsserted(() -> assertThat(stage.scrape().count("hangup_calls_total", outcome("cancelled")))
                    .as(this::outcomes)
                    .isEqualTo(calls));
            await().untilAsserted(() ->
                    assertThat(stage.scrape().momentary().values()).containsOnly(0.0));
            await().untilAsserted(
                            () -> assertThat(stage.container.busyWorkers()).isZero());
            await().untilAsserted(() -> assertThat(pool.getHikariPoolMXBean().getActiveConnections())
                    .isZero());
            await().untilAsserted(() -> assertThat(Postgres.shared().runningQueries(Transactions.MARKER))
                    .isZero());
            assertThat(stage.scrape().count("hangup_calls_total")).isEqualTo(calls);
            assertThat(Postgres.shared().rows(Transactions.TABLE)).isZero();
            assertThat(job.committed()).isEmpty();
            assertThat(logged.alarms()).allMatch(alarm -> alarm.contains("the driver was slow to cancel"));
        }

        private String outcomes() {
            return "calls cancelled, of "
                    + stage.scrape().series().keySet().stream()
                            .filter(series -> series.startsWith("hangup_calls_total"))
                            .toList();
        }

        @Override
        public void close() {
            stage.close();
            logged.close();
            pool.close();
            own.shutdownNow();
        }
    }
}
