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
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The container's write fails before the watcher comes, or the caller hangs up because it has its answer. */
final class StreamDepartureIT {

    private static final int CALLERS = 20;
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /bytes", Entry.of(Mode.CANCEL))
            .endpoint("GET /text", Entry.of(Mode.CANCEL))
            .endpoint("GET /gate", Entry.of(Mode.CANCEL))
            .endpoint("GET /late", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(300)))
            .build();

    private final Ledger ledger = new Ledger();
    private final Gate gate = new Gate();

    private Container start(ContainerKind kind, Site site, Hangup hangup) {
        return kind.start(site.filter(new HangupFilter(hangup))
                .servlet("/bytes", new LambdaServlet(StreamDepartureIT::bytes))
                .servlet("/text", new LambdaServlet(StreamDepartureIT::text))
                .servlet("/gate", gate)
                .servlet("/late", gate));
    }

    private static void bytes(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        ServletOutputStream out = response.getOutputStream();
        for (int i = 0; i < 2_000; i++) {
            out.write(new byte[2_000]);
            out.flush();
            Thread.sleep(5);
        }
    }

    private static void text(HttpServletRequest request, HttpServletResponse response) throws InterruptedException {
        PrintWriter writer;
        try {
            writer = response.getWriter();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        for (int i = 0; i < 2_000 && !writer.checkError(); i++) {
            writer.println("x".repeat(2_000));
            writer.flush();
            Thread.sleep(5);
        }
    }

    @ParameterizedTest(name = "{0} over {1}, {2}")
    @CsvSource({
        "JETTY, PLAIN, /bytes",
        "JETTY, TLS, /bytes",
        "JETTY, PLAIN, /text",
        "TOMCAT, PLAIN, /bytes",
        "TOMCAT, TLS, /bytes",
        "TOMCAT, PLAIN, /text",
        "TOMCAT, NIO2, /bytes"
    })
    void whoLeavesAStreamHasLeft(ContainerKind kind, Wire wire, String path) throws Exception {
        try (Silence silence = Silence.ofContainers();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = start(kind, new Site().wire(wire), hangup)) {
            Crowd.of(CALLERS, number -> {
                RawClient client = RawClient.connect(container, wire).get(path);
                client.line();
                Thread.sleep(150 + 10 * number);
                client.close();
            });
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(CALLERS));
            assertThat(ledger.ended(Outcome.COMPLETED)).as("%s", ledger).isZero();
            assertThat(ledger.departures()).as("%s", ledger).isEqualTo(CALLERS);
        }
    }

    /** They read 504 and hang up at once, while the container is still busy with the end of their calls. */
    @EachContainer
    void whoHangsUpOnA504HasNotLeft(ContainerKind kind) throws Exception {
        try (Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = start(kind, new Site(), hangup)) {
            for (int round = 1; round <= 5; round++) {
                Crowd.of(CALLERS, number -> assertThat(
                                RawClient.ask(container, "/late").status())
                        .isEqualTo(504));
            }
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(5 * CALLERS));
            assertThat(ledger.departures()).as("%s", ledger).isZero();
            assertThat(ledger.cancelled(CancelReason.ENDPOINT_DEADLINE)).isEqualTo(5 * CALLERS);
        }
    }
}
