package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;

/** A connection that goes on in another protocol is let go of. */
final class UpgradeIT {

    private static final Duration DEADLINE = Duration.ofMillis(300);
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /socket", Entry.of(Mode.CANCEL).normal(DEADLINE))
            .build();

    @EachContainer
    @DisplayName("case 59: an upgrade passes the filter: 101, and neither deadline nor watch afterwards")
    void upgradedConnectionIsLetGoOf(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            assertThat(request.getHeader("Upgrade")).isEqualTo("websocket");
            if (kind == ContainerKind.TOMCAT) { // Jetty sets them itself
                response.setHeader("Upgrade", "websocket");
                response.setHeader("Connection", "Upgrade");
            }
            request.upgrade(Echo.class);
        });
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet));
                RawClient client = RawClient.connect(container)) {
            RawResponse response = client.get("/socket", "Upgrade: websocket", "Connection: Upgrade")
                    .response();
            assertThat(response.status()).isEqualTo(101);
            assertThat(response.header("Upgrade")).isEqualTo("websocket");
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.COMPLETED)).isEqualTo(1));
            await().during(DEADLINE.multipliedBy(2)).until(() -> ledger.ended() == 1);
            if (kind == ContainerKind.TOMCAT) {
                // Jetty gives the handler no byte that follows a GET, with Hangup or without.
                client.send("ping\n");
                assertThat(client.line()).isEqualTo("ping");
            }
            client.fin();
            assertThat(client.endsWithin(Duration.ofSeconds(5))).isTrue();
            assertThat(ledger.departures()).isZero();
            assertThat(ledger.ended()).isEqualTo(1);
            logged.assertNoAlarms();
        }
    }

    /** Sends back every byte, until the other side has no more. */
    public static final class Echo implements HttpUpgradeHandler {

        @Override
        public void init(WebConnection connection) {
            new Thread(() -> echo(connection)).start();
        }

        private static void echo(WebConnection connection) {
            try (connection) {
                InputStream in = connection.getInputStream();
                OutputStream out = connection.getOutputStream();
                for (int b = in.read(); b >= 0; b = in.read()) {
                    out.write(b);
                    out.flush();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void destroy() {}
    }
}
