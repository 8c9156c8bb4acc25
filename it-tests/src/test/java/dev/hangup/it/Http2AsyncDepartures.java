package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.AsyncContext;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A stream is reset, and its container is the first to do something about it: a departure all the same. */
abstract class Http2AsyncDepartures {

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ofMillis(10)))
            .endpoint("GET /waiting", Entry.of(Mode.CANCEL))
            .endpoint("GET /observed", Entry.of(Mode.OBSERVE))
            .endpoint("GET /writing", Entry.of(Mode.CANCEL))
            .endpoint("POST /reading", Entry.of(Mode.CANCEL))
            .build();

    private final int times;
    private final Ledger ledger = new Ledger();
    private final AtomicInteger entered = new AtomicInteger();

    /** @param times how many departures of each kind, an even number */
    Http2AsyncDepartures(int times) {
        this.times = times;
    }

    private interface Request {
        H2Exchange on(H2Client client) throws IOException;
    }

    private void leave(Container container, Wire wire, Request request) throws Exception {
        for (int i = 0; i < times; i++) {
            int before = entered.get();
            try (H2Client client = H2Client.connect(container, wire)) {
                H2Exchange exchange = request.on(client);
                await().pollInterval(Duration.ofMillis(2)).until(() -> entered.get() == before + 1);
                Thread.sleep(
                        150 + i * 60L / times); // watched by now also on a busy machine; anywhere between two looks
                if (i % 2 == 0) {
                    exchange.reset();
                    int ended = i + 1;
                    await().pollInterval(Duration.ofMillis(2)).until(() -> ledger.ended() == ended);
                }
            }
        }
        await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(times));
        assertThat(ledger.of(CancelReason.STREAM_RESET)).as("%s", ledger).isEqualTo(times);
        assertThat(ledger.endedTwice()).isZero();
    }

    /** The container completes it, and tells its listeners of an error. */
    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, H2C", "JETTY, H2", "TOMCAT, H2C", "TOMCAT, H2"})
    void asynchronousCall(ContainerKind kind, Wire wire) throws Exception {
        LambdaServlet waiting = new LambdaServlet((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            entered.incrementAndGet();
        });
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(
                        new Site().wire(wire).filter(new HangupFilter(hangup)).servlet("/waiting", waiting))) {
            leave(container, wire, client -> client.get("/waiting"));
            assertThat(ledger.ended(Outcome.CANCELLED)).as("%s", ledger).isEqualTo(times);
        }
    }

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, H2C", "TOMCAT, H2C"})
    void observedAsynchronousCall(ContainerKind kind, Wire wire) throws Exception {
        LambdaServlet waiting = new LambdaServlet((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(1000); // Jetty tells nobody of a FIN after a GOAWAY
            entered.incrementAndGet();
        });
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(
                        new Site().wire(wire).filter(new HangupFilter(hangup)).servlet("/observed", waiting))) {
            leave(container, wire, client -> client.get("/observed"));
            assertThat(ledger.ended(Outcome.WOULD_CANCEL)).as("%s", ledger).isEqualTo(times);
        }
    }

    /** Its own write fails, and it returns. */
    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, H2C", "TOMCAT, H2C"})
    void callThatWrites(ContainerKind kind, Wire wire) throws Exception {
        LambdaServlet writing = new LambdaServlet((request, response) -> {
            entered.incrementAndGet();
            try {
                while (true) {
                    response.getOutputStream().write(1);
                    response.flushBuffer();
                    Thread.sleep(1);
                }
            } catch (IOException e) {
                return; // nobody is there
            }
        });
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(
                        new Site().wire(wire).filter(new HangupFilter(hangup)).servlet("/writing", writing))) {
            leave(container, wire, client -> client.get("/writing"));
            assertThat(ledger.ended(Outcome.COMPLETED)).as("%s", ledger).isZero();
        }
    }

    /** Its body is cut in the middle. */
    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, H2C", "TOMCAT, H2C"})
    void callThatReads(ContainerKind kind, Wire wire) throws Exception {
        AtomicInteger whole = new AtomicInteger();
        LambdaServlet reading = new LambdaServlet((request, response) -> {
            entered.incrementAndGet();
            try {
                request.getInputStream().readAllBytes();
                whole.incrementAndGet();
            } catch (IOException e) {
                return; // nobody is there
            }
        });
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(
                        new Site().wire(wire).filter(new HangupFilter(hangup)).servlet("/reading", reading))) {
            leave(container, wire, client -> client.post("/reading", new byte[10_000], false));
            assertThat(whole).hasValue(0);
            assertThat(ledger.ended(Outcome.COMPLETED)).as("%s", ledger).isZero();
        }
    }
}
