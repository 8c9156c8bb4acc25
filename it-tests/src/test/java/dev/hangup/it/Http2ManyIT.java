package dev.hangup.it;

import static dev.hangup.it.Scrape.outcome;
import static dev.hangup.it.Scrape.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many streams of one connection, many of them reset. */
final class Http2ManyIT {

    private static final long SEED = 20;
    private static final int AT_ONCE = 20;
    private static final int STREAMS = 500;
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS
                    .withGrace(Duration.ofMillis(5))
                    .withEscalateAfter(Duration.ofMillis(500))
                    .withStuckAfter(Duration.ofSeconds(1)))
            .endpoint("GET /task/{name}", Entry.of(Mode.CANCEL))
            .endpoint("GET /never", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(20)))
            .build();

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, H2C", "JETTY, H2", "TOMCAT, H2C", "TOMCAT, H2"})
    @DisplayName("case 20: 500 streams, every second one reset while it is worked on: the others answer, uncancelled")
    void resetsDoNotBleedIntoOtherStreams(ContainerKind kind, Wire wire) throws Exception {
        Ledger ledger = new Ledger();
        AtomicInteger stopped = new AtomicInteger();
        AtomicInteger entered = new AtomicInteger();
        LambdaServlet work = new LambdaServlet((request, response) -> {
            entered.incrementAndGet();
            String query = request.getQueryString();
            try {
                Thread.sleep(Integer.parseInt(query));
                response.getOutputStream().print(body(request.getPathInfo()));
            } catch (InterruptedException e) {
                stopped.incrementAndGet();
                throw e;
            }
        });
        Random random = new Random(SEED);
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(new Site()
                        .wire(wire)
                        .resetsUnlimited()
                        .filter(new HangupFilter(hangup))
                        .servlet("/task/*", work));
                H2Client client = H2Client.connect(container, wire)) {
            for (int round = 0; round < STREAMS / AT_ONCE; round++) {
                List<H2Exchange> staying = new ArrayList<>();
                List<H2Exchange> leaving = new ArrayList<>();
                for (int i = 0; i < AT_ONCE; i++) {
                    (i % 2 == 0 ? staying : leaving).add(client.get(path(round, i, random)));
                    client.settle();
                }
                int sofar = (round + 1) * AT_ONCE;
                await().pollInterval(Duration.ofMillis(2)).until(() -> entered.get() == sofar);
                Thread.sleep(random.nextInt(20));
                leaving.forEach(H2Exchange::reset);
                for (int i = 0; i < staying.size(); i++) {
                    assertThat(digest(staying.get(i).outcome()))
                            .isEqualTo(digest("200 " + body("/" + round + "-" + 2 * i)));
                }
            }
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(STREAMS));
            assertThat(ledger.ended(Outcome.COMPLETED)).as("%s", ledger).isEqualTo(STREAMS / 2);
            assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(STREAMS / 2);
            assertThat(ledger.cancelled(CancelReason.STREAM_RESET)).isEqualTo(STREAMS / 2);
            assertThat(stopped).hasValue(STREAMS / 2);
            assertThat(ledger.endedTwice()).isZero();
        }
    }

    /**
     * Those that stay work a while, so that the others' cancels come meanwhile, and because Jetty bears only so many resets a
     * second; those that are to be reset do not end by themselves.
     */
    private static String path(int round, int i, Random random) {
        return "/task/" + round + "-" + i + "?" + (i % 2 == 0 ? 200 + random.nextInt(60) : 20_000);
    }

    private static String digest(String text) {
        return text.length() + " " + text.substring(0, Math.min(20, text.length())) + " " + text.hashCode();
    }

    private static String body(String name) {
        return name.repeat(2_000);
    }

    @ParameterizedTest(name = "{0} over {1}, bears all: {2}")
    @CsvSource({"JETTY, H2C, false", "JETTY, H2, false", "TOMCAT, H2C, false", "TOMCAT, H2, true"})
    @DisplayName("case 21: 600 resets in 10 s: whatever the container does about it, nothing is left behind")
    void nothingIsLeftBehindByAStormOfResets(ContainerKind kind, Wire wire, boolean bearsAll) throws Exception {
        Queue<WeakReference<Call>> calls = new ConcurrentLinkedQueue<>();
        Site site = new Site().wire(wire).servlet("/never", new LambdaServlet((request, response) -> {
            calls.add(new WeakReference<>(Call.current()));
            NEVER.await();
        }));
        if (bearsAll) {
            site.resetsUnlimited();
        }
        try (Stage stage = Stage.start(kind, POLICY, site)) {
            int resets = storm(stage.container, wire);
            System.out.println(kind + " over " + wire + ": " + resets + " resets, " + calls.size() + " calls");
            assertThat(resets).isBetween(bearsAll ? 600 : 1, 600);
            await().until(() -> stage.turnstile.inside() == 0);
            await().untilAsserted(
                            () -> assertThat(stage.container.busyWorkers()).isZero());
            Scrape scrape = stage.scrape();
            assertThat(scrape.count("hangup_calls_total", outcome("cancelled"))).isEqualTo(calls.size());
            assertThat(scrape.count("hangup_cancelled_total", reason("stream_reset")))
                    .isEqualTo(calls.size());
            await().untilAsserted(() ->
                    assertThat(stage.scrape().momentary().values()).isNotEmpty().allMatch(value -> value == 0));
            await().untilAsserted(() -> {
                System.gc();
                assertThat(calls).allMatch(call -> call.refersTo(null));
            });
        }
    }

    /** How many resets the container has borne before it closed the connection, at most 600; ten streams are open throughout. */
    private static int storm(Container container, Wire wire) throws Exception {
        try (H2Client client = H2Client.connect(container, wire)) {
            List<H2Exchange> open = new ArrayList<>();
            for (int i = 0; i < 600; i++) {
                try {
                    open.add(client.get("/never"));
                } catch (IOException closed) {
                    return i;
                }
                Thread.sleep(12);
                if (open.size() > 10) {
                    open.remove(0).reset();
                }
            }
            return 600;
        }
    }
}
