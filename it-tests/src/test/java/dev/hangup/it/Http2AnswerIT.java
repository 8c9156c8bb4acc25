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
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a cancelled call answers over HTTP/2: whole, or by a reset of its own stream, and never at the cost of the others. */
@EachLine
final class Http2AnswerIT {

    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static final Duration DEADLINE = Duration.ofMillis(400);

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withEscalateAfter(Duration.ofMillis(500)))
            .endpoint("GET /cancelled/{how}", Entry.of(Mode.CANCEL).normal(DEADLINE))
            .endpoint("GET /gate", Entry.of(Mode.CANCEL))
            .build();

    private final Ledger ledger = new Ledger();
    private final Gate gate = new Gate();
    private final CountDownLatch stuck = new CountDownLatch(1);

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, H2C", "JETTY, H2", "TOMCAT, H2C", "TOMCAT, H2"})
    @DisplayName("cases 9, 57, 58 and 69: 504, or RST_STREAM where the answer has begun or its worker is stuck")
    void cancelledStreamEndsAloneAndNeverLooksWhole(ContainerKind kind, Wire wire) throws Exception {
        Site site = new Site().wire(wire);
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(site.filter(new HangupFilter(hangup))
                        .servlet("/gate", gate)
                        .servlet("/cancelled/*", new LambdaServlet(this::cancelled)));
                H2Client client = H2Client.connect(container, wire)) {
            H2Exchange sibling = client.get("/gate");
            assertThat(client.get("/cancelled/uncommitted").outcome()).startsWith("504 {\"type\"");

            List<H2Exchange> halves = new ArrayList<>();
            for (String how : List.of("interrupted", "returning", "cancelling", "failing", "async")) {
                halves.add(client.get("/cancelled/" + how));
            }
            for (H2Exchange half : halves) {
                assertThat(half.outcome()).startsWith("reset");
                assertThat(half.status()).isEqualTo(200);
                assertThat(half.body()).hasSizeLessThanOrEqualTo(50_000); // Tomcat 10.1.1 may drop what is queued
            }
            // The worker does not answer an interrupt: the caller is told by the escalation, before the work ends.
            assertThat(client.get("/cancelled/stuck").outcome()).startsWith("reset");
            assertThat(stuck.getCount()).isEqualTo(1);
            stuck.countDown();
            // Blocked in a write, because the caller's window is full.
            H2Exchange unread = client.getUnread("/cancelled/unread");

            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(8));
            assertThat(unread.outcome()).startsWith("reset");
            assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(8);
            // A slow machine takes "cancelling" past its deadline, too.
            assertThat(ledger.cancelled(CancelReason.ENDPOINT_DEADLINE)).isBetween(7, 8);
            assertThat(ledger.departures()).isZero();

            gate.open();
            assertThat(sibling.outcome()).isEqualTo("200 opened");
            assertThat(client.get("/gate").outcome()).isEqualTo("200 opened");
            logged.assertNoAlarms();
        }
    }

    private void cancelled(HttpServletRequest request, HttpServletResponse response) throws Exception {
        String how = request.getPathInfo().substring(1);
        ServletOutputStream out = response.getOutputStream();
        switch (how) {
            case "uncommitted" -> NEVER.await();
            case "stuck" -> waitWhateverHappens();
            case "unread" -> {
                while (true) {
                    out.write(new byte[10_000]);
                }
            }
            default -> {
                out.write(new byte[50_000]);
                out.flush();
                half(how, request, out);
            }
        }
    }

    private static void half(String how, HttpServletRequest request, ServletOutputStream out)
            throws IOException, InterruptedException {
        switch (how) {
            case "cancelling" -> Call.current().cancel();
            case "returning" -> {
                while (!Call.current().isCancelled()) {
                    Thread.onSpinWait();
                }
            }
            case "failing" -> {
                while (true) {
                    out.flush();
                    Thread.sleep(10);
                }
            }
            case "async" -> {
                AsyncContext async = request.startAsync();
                async.setTimeout(0);
            }
            default -> NEVER.await();
        }
    }

    /** As a driver would that does not know how to stop. */
    private void waitWhateverHappens() {
        while (stuck.getCount() > 0) {
            LockSupport.parkNanos(1_000_000);
            Thread.interrupted();
        }
    }
}
