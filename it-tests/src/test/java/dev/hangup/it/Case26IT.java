package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.KeepAlive;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A host that is gone from one moment to the next: no FIN, no reset, and no answer to anything. */
@DisplayName("case 26: a host vanishes without a FIN")
final class Case26IT {

    private static final Duration GIVEN_UP = Duration.ofSeconds(25);
    /** Later than that. */
    private static final Duration DEADLINE = Duration.ofSeconds(32);

    @Test
    void keepAliveFindsItAndWithoutOneTheDeadlineDoes() throws Exception {
        String curl = Program.CURL.path();
        KeepAlive keepAlive = new KeepAlive(Duration.ofSeconds(10), Duration.ofSeconds(3), 3);
        List<Server> probing = new ArrayList<>();
        try (Namespace namespace = Namespace.create();
                Server blind = new Server(ContainerKind.TOMCAT, Wire.PLAIN, null, namespace);
                Server nio2 = new Server(ContainerKind.TOMCAT, Wire.NIO2, keepAlive, namespace);
                Server tomcat = new Server(ContainerKind.TOMCAT, Wire.PLAIN, keepAlive, namespace);
                Server jetty = new Server(ContainerKind.JETTY, Wire.PLAIN, keepAlive, namespace)) {
            probing.addAll(List.of(nio2, tomcat, jetty));
            for (Server server : List.of(blind, nio2, tomcat, jetty)) {
                namespace.run(curl, "--no-progress-meter", server.url(namespace));
                await().untilAsserted(() -> assertThat(server.gate.entered).hasValue(1));
            }
            // Longer than it takes to be watched.
            await().during(Duration.ofMillis(500)).until(() -> departures(probing) == 0);
            namespace.pullTheCable();
            long pulled = System.nanoTime();
            await().atMost(GIVEN_UP)
                    .untilAsserted(() -> assertThat(departures(probing)).isEqualTo(3));
            assertThat(Duration.ofNanos(System.nanoTime() - pulled)).isGreaterThan(Duration.ofSeconds(9));
            for (Server server : probing) {
                assertThat(server.ledger.cancelled(CancelReason.CALLER_RESET)).isEqualTo(1);
                await().untilAsserted(() -> assertThat(server.gate.interrupted).hasValue(1));
            }
            assertThat(blind.gate.interrupted).hasValue(0);
            await().atMost(DEADLINE).untilAsserted(() -> assertThat(blind.ledger.ended(Outcome.CANCELLED))
                    .isEqualTo(1));
            assertThat(blind.ledger.cancelled(CancelReason.ENDPOINT_DEADLINE)).isEqualTo(1);
            assertThat(blind.ledger.departures()).isZero();
        }
    }

    private static int departures(List<Server> servers) {
        return servers.stream().mapToInt(server -> server.ledger.departures()).sum();
    }

    private static final class Server implements AutoCloseable {
        private final Ledger ledger = new Ledger();
        private final Gate gate = new Gate();
        private final Hangup hangup;
        private final Container container;

        Server(ContainerKind kind, Wire wire, @Nullable KeepAlive keepAlive, Namespace namespace) {
            hangup = Hangup.builder()
                    .policy(Policy.builder()
                            .settings(Settings.DEFAULTS.withKeepAlive(keepAlive))
                            .endpoint("GET /gate", Entry.of(Mode.CANCEL).normal(DEADLINE))
                            .build())
                    .listener(ledger)
                    .build();
            container = kind.start(new Site()
                    .address(namespace.address())
                    .wire(wire)
                    .filter(new HangupFilter(hangup))
                    .servlet("/gate", gate));
        }

        String url(Namespace namespace) {
            return "http://" + namespace.address() + ":" + container.port() + "/gate";
        }

        @Override
        public void close() {
            container.close();
            hangup.close();
        }
    }
}
