package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A response that is cancelled when part of it has been sent must not look whole. */
@EachLine
final class TruncationIT {

    private static final int HALF = 5_000_000;
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /{how}", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(700)))
            .build();

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({
        "JETTY, PLAIN",
        "JETTY, TLS",
        "JETTY, TLS_12",
        "TOMCAT, PLAIN",
        "TOMCAT, TLS",
        "TOMCAT, TLS_12",
        "TOMCAT, NIO2"
    })
    @DisplayName("cases 57 and 58: half of 10 MB, then a cancel: no end that looks like one, and no failure in the log")
    void halfAResponseDoesNotLookWhole(ContainerKind kind, Wire wire) throws Exception {
        Ledger ledger = new Ledger();
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(new Site()
                        .wire(wire)
                        .filter(new HangupFilter(hangup))
                        .servlet("/*", new LambdaServlet(TruncationIT::half)))) {
            List<String> ways = List.of("interrupted", "returning", "cancelling", "failing");
            Crowd.of(8, number -> {
                String how = ways.get(number / 2);
                String connection = number % 2 == 0 ? "keep-alive" : "close";
                String form = (number / 2 + number) % 2 == 0 ? "length" : "chunked";
                try (RawClient client = RawClient.connect(container, wire)) {
                    client.get("/" + how + "?" + form, "Connection: " + connection);
                    assertThat(end(client))
                            .as("%s, %s, Connection: %s", how, form, connection)
                            .isEqualTo("broken off");
                }
            });
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(8));
            assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(8);
            logged.assertNoAlarms();
        }
    }

    private static String end(RawClient client) {
        try {
            RawResponse response = client.response();
            return response.status() + " with " + response.body().length() + " bytes";
        } catch (IOException e) {
            return "broken off";
        }
    }

    /** Sends half of it, and is cancelled: by its deadline, or, before any watch has seen the call, by itself. */
    private static void half(HttpServletRequest request, HttpServletResponse response)
            throws IOException, InterruptedException {
        String how = request.getPathInfo().substring(1);
        ServletOutputStream out = response.getOutputStream();
        int size = how.equals("cancelling") ? 50_000 : HALF;
        if (request.getQueryString().equals("length")) {
            response.setContentLength(2 * size);
        }
        for (int sent = 0; sent < size; sent += 50_000) {
            out.write(new byte[50_000]);
        }
        out.flush();
        switch (how) {
            case "cancelling" -> Call.current().cancel();
            case "returning" -> {
                while (!Call.current().isCancelled()) {
                    Thread.onSpinWait();
                }
            }
            case "failing" -> {
                while (true) {
                    out.write(0);
                    Thread.sleep(10);
                }
            }
            default -> NEVER.await();
        }
    }
}
