package dev.hangup.it;

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
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A HEAD over HTTP/2: the head of what the GET is answered, and no byte of a body that the framing would give to it. */
final class Http2HeadIT {

    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static final List<String> HEAD = List.of("content-type", "content-length", "retry-after");
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withRetryAfter(Duration.ofSeconds(7)))
            .endpoint("GET /late/{how}", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(250)))
            .endpoint("GET /left/{how}", Entry.of(Mode.CANCEL))
            .endpoint("GET /gate", Entry.of(Mode.CANCEL))
            .build();

    private final Ledger ledger = new Ledger();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger entered = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();
    private final ExecutorService workers = Executors.newCachedThreadPool();

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, H2C", "JETTY, H2", "TOMCAT, H2C", "TOMCAT, H2"})
    void deadlineIsAnsweredByTheHeadOfTheGetAlone(ContainerKind kind, Wire wire) throws Exception {
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(application(new Site().wire(wire), hangup));
                H2Client client = H2Client.connect(container, wire)) {
            H2Exchange sibling = client.get("/gate");
            for (String how : List.of("sync", "async")) {
                H2Exchange get = client.get("/late/" + how);
                assertThat(get.outcome()).as(how).startsWith("504 {\"type\"");
                H2Exchange head = client.head("/late/" + how);
                assertThat(head.outcome()).as(how).isEqualTo("504 ");
                for (String name : HEAD) {
                    assertThat(head.header(name)).as("%s of %s", name, how).isEqualTo(get.header(name));
                }
                assertThat(head.header("content-type")).isEqualTo("application/problem+json");
            }
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(4));
            assertThat(ledger.cancelled(CancelReason.ENDPOINT_DEADLINE)).isEqualTo(4);
            assertThat(ledger.departures()).isZero();
            gate.countDown();
            assertThat(sibling.outcome()).isEqualTo("200 opened");
            logged.assertNoAlarms();
        } finally {
            workers.shutdownNow();
        }
    }

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, H2C", "JETTY, H2", "TOMCAT, H2C", "TOMCAT, H2"})
    void departureCancelsItsStreamAloneHoweverEarly(ContainerKind kind, Wire wire) throws Exception {
        Site site = new Site().wire(wire);
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(application(site, hangup));
                H2Client client = H2Client.connect(container, wire)) {
            H2Exchange sibling = client.head("/gate");
            List<H2Exchange> leaving = List.of(client.head("/left/sync"), client.head("/left/async"));
            await().until(() -> entered.get() == 2 && waiting.get() == 1);
            leaving.forEach(H2Exchange::reset);
            await().untilAsserted(() ->
                    assertThat(ledger.ended(Outcome.CANCELLED)).as("%s", ledger).isEqualTo(2));
            assertThat(ledger.cancelled(CancelReason.STREAM_RESET)).isEqualTo(2);
            await().untilAsserted(() -> assertThat(interrupted).hasValue(2));
            await().untilAsserted(() -> assertThat(site.accessLog()).hasSize(2));
            // A container writes 500 if it hears of an asynchronous request's reset before anybody has completed it.
            assertThat(site.accessLog())
                    .anyMatch("HEAD /left/sync 499"::equals)
                    .anyMatch(line -> line.matches("HEAD /left/async (499|500)"));
            gate.countDown();
            assertThat(sibling.outcome()).isEqualTo("200 ");
            logged.assertNoAlarms();
        } finally {
            workers.shutdownNow();
        }
    }

    private Site application(Site site, Hangup hangup) {
        return site.filter(new HangupFilter(hangup))
                .servlet("/gate", new LambdaServlet((request, response) -> {
                    waiting.incrementAndGet();
                    gate.await();
                    response.getOutputStream().print("opened");
                }))
                .servlet("/late/*", new LambdaServlet((request, response) -> work(request)))
                .servlet("/left/*", new LambdaServlet((request, response) -> work(request)));
    }

    private void work(HttpServletRequest request) {
        if (request.getPathInfo().equals("/async")) {
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            Call.current().executor(workers).execute(this::untilInterrupted);
        } else {
            untilInterrupted();
        }
    }

    private void untilInterrupted() {
        entered.incrementAndGet();
        try {
            NEVER.await();
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
        }
    }
}
