package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.call.CallResource;
import dev.hangup.call.CallScope;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;

/** A cancel, rung by rung, on endpoints that have each a ladder of their own. */
final class LadderIT {

    private static final Duration DEADLINE = Duration.ofMillis(300);
    private static final Duration QUICK = Duration.ofMillis(400);
    private static final Duration SLOW = Duration.ofMillis(1200);
    private static final Duration STUCK = Duration.ofMillis(2000);

    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /quick", ladder().escalateAfter(QUICK))
            .endpoint("GET /slow", ladder().escalateAfter(SLOW))
            .endpoint("GET /deaf", ladder().escalateAfter(QUICK).interrupt(false))
            .build();

    private final CountDownLatch end = new CountDownLatch(1);
    private final Map<String, Rungs> seen = new ConcurrentHashMap<>();

    private static Entry ladder() {
        return Entry.of(Mode.CANCEL).normal(DEADLINE).stuckAfter(STUCK);
    }

    /** And where nothing is interrupted, all else is done, and counts. */
    @EachContainer
    @DisplayName(
            "cases 38 and 39: flag, resources, hooks, interrupt, second interrupt, abort, report; without the interrupts where they are off")
    void eachRungInItsTime(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        Site site = new Site().servlet("/*", new LambdaServlet(this::work));
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(site.filter(new HangupFilter(hangup)))) {
            List<RawClient> clients = new ArrayList<>();
            for (String path : List.of("/quick", "/slow", "/deaf")) {
                clients.add(RawClient.connect(container).get(path));
            }
            for (RawClient client : clients) {
                assertThat(client.endsWithin(Duration.ofSeconds(10))).isTrue();
            }
            await().untilAsserted(() -> assertThat(logged.alarms()).hasSize(3));
            end.countDown();
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(3));

            rungs("/quick").assertRungs("flag", "refuse", "cancel", "hook", "interrupt", "interrupt", "abort");
            rungs("/slow").assertRungs("flag", "refuse", "cancel", "hook", "interrupt", "interrupt", "abort");
            rungs("/deaf").assertRungs("flag", "refuse", "cancel", "hook", "abort");
            rungs("/quick").assertAfter("abort", QUICK);
            rungs("/deaf").assertAfter("abort", QUICK);
            rungs("/slow").assertAfter("abort", SLOW);
            for (String path : seen.keySet()) {
                assertThat(logged.alarms())
                        .filteredOn(line -> line.startsWith("WARNING dev.hangup: GET " + path + " was cancelled"
                                + " (ENDPOINT_DEADLINE) but still works after 2."))
                        .singleElement()
                        .asString()
                        .contains("    at ", "LadderIT.work");
            }
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    private Rungs rungs(String path) {
        return Objects.requireNonNull(seen.get(path));
    }

    /** Notes every interrupt and goes on, whatever happens. */
    private void work(HttpServletRequest request, HttpServletResponse response) {
        CallScope call = Objects.requireNonNull(CallScope.current());
        Rungs rungs = new Rungs(call);
        seen.put(request.getRequestURI(), rungs);
        call.add(rungs);
        Call.Registration hook = call.onCancel(reason -> rungs.note("hook"));
        while (end.getCount() > 0) {
            LockSupport.parkNanos(1_000_000);
            if (Thread.interrupted()) {
                rungs.note("interrupt");
            }
        }
        hook.close();
    }

    /** What was seen of one call's ladder, in nanoseconds. */
    private static final class Rungs implements CallResource {

        private final Call call;
        private final List<String> names = new ArrayList<>();
        private final List<Long> times = new ArrayList<>();

        Rungs(Call call) {
            this.call = call;
        }

        synchronized void note(String rung) {
            names.add(rung);
            times.add(System.nanoTime());
        }

        /** The interrupt and the abort of an escalation are done by one thread and noted by two. */
        synchronized void assertRungs(String... expected) {
            int last = expected.length - 1;
            assertThat(names).startsWith(Arrays.copyOf(expected, last - 1)).containsExactlyInAnyOrder(expected);
        }

        synchronized void assertAfter(String rung, Duration sinceCancel) {
            Duration took = Duration.ofNanos(times.get(names.indexOf(rung)) - times.get(0));
            assertThat(took).isGreaterThanOrEqualTo(sinceCancel.minusMillis(20)).isLessThan(STUCK);
        }

        @Override
        public void refuse() {
            note(call.isCancelled() ? "flag" : "no flag");
            note("refuse");
        }

        @Override
        public void cancel() {
            note("cancel");
        }

        @Override
        public void abort() {
            note("abort");
        }
    }
}
