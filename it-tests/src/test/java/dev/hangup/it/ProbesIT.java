package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.Planted;
import dev.hangup.policy.Entry;
import dev.hangup.policy.KeepAlive;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.time.Duration;
import java.util.List;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The keep-alive that a connection has while a call that may be cancelled has the connection, and afterwards. */
final class ProbesIT {

    private static final KeepAlive KEEP_ALIVE = new KeepAlive(Duration.ofSeconds(11), Duration.ofSeconds(4), 5);

    private final Liar watch = new Liar();
    private final Gate gate = new Gate();
    private final Ledger ledger = new Ledger();

    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, PLAIN", "TOMCAT, PLAIN", "TOMCAT, NIO2"})
    void isSetForTheCallAndTakenBack(ContainerKind kind, Wire wire) throws Exception {
        LambdaServlet brief = new LambdaServlet((request, response) -> {
            await().until(() -> !watch.channels.isEmpty());
            response.getOutputStream().print("brief");
        });
        try (Hangup hangup = hangup(KEEP_ALIVE);
                Container container = kind.start(
                        site(hangup).wire(wire).servlet("/brief", brief).servlet("/gate", gate));
                RawClient client = RawClient.connect(container)) {
            // Twice on one connection: the second call must not find the first one's, and take it for the connection's.
            assertThat(client.get("/brief").response().body()).isEqualTo("brief");
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(1));
            NetworkChannel channel = watch.channels.remove();
            List<Object> own = options(channel);
            assertThat(own).isNotEqualTo(List.of(true, 11, 4, 5));
            client.get("/gate");
            await().untilAsserted(() -> assertThat(options(channel)).containsExactly(true, 11, 4, 5));
            gate.open();
            assertThat(client.response().body()).isEqualTo("opened");
            await().untilAsserted(() -> assertThat(ledger.ended()).isEqualTo(2));
            assertThat(options(channel)).isEqualTo(own);
        }
    }

    @EachContainer
    void observedEndpointsAndADefaultPolicyTouchNothing(ContainerKind kind) throws Exception {
        for (boolean observed : List.of(true, false)) {
            try (Hangup hangup = hangup(observed ? KEEP_ALIVE : null);
                    Container container =
                            kind.start(site(hangup).servlet("/observed", gate).servlet("/gate", gate));
                    RawClient client = RawClient.connect(container).get(observed ? "/observed" : "/gate")) {
                await().until(() -> !watch.channels.isEmpty());
                NetworkChannel channel = watch.channels.remove();
                await().during(Duration.ofMillis(200))
                        .until(() -> !options(channel).equals(List.of(true, 11, 4, 5)));
                client.close();
            }
        }
    }

    private static List<Object> options(NetworkChannel channel) throws IOException {
        return List.of(
                channel.getOption(StandardSocketOptions.SO_KEEPALIVE),
                channel.getOption(ExtendedSocketOptions.TCP_KEEPIDLE),
                channel.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL),
                channel.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT));
    }

    private Site site(Hangup hangup) {
        return new Site().filter(new HangupFilter(hangup));
    }

    private Hangup hangup(@Nullable KeepAlive keepAlive) {
        return Planted.watch(
                Hangup.builder()
                        .listener(ledger)
                        .policy(Policy.builder()
                                .settings(Settings.DEFAULTS
                                        .withGrace(Duration.ZERO)
                                        .withKeepAlive(keepAlive))
                                .endpoint("GET /gate", Entry.of(Mode.CANCEL))
                                .endpoint("GET /brief", Entry.of(Mode.CANCEL))
                                .build()),
                watch);
    }
}
