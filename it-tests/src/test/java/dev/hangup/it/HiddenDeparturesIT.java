package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/** What a relay does to departures is not seen, but told by what is never seen. */
final class HiddenDeparturesIT {

    private static final int CALLERS = 25;
    private static final Duration DEADLINE = Duration.ofSeconds(1);
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /relayed/{id}", Entry.of(Mode.CANCEL).normal(DEADLINE))
            .endpoint("GET /direct/{id}", Entry.of(Mode.CANCEL).normal(DEADLINE))
            .build();

    @EachContainer
    @DisplayName("case 8: an endpoint whose callers never leave while deadlines expire is pointed out, others are not")
    void anEndpointBehindARelayThatHidesDeparturesIsPointedOut(ContainerKind kind) throws Exception {
        WaitingRoom room = new WaitingRoom();
        Site site = new Site().maxThreads(100).servlet("/*", room);
        try (Logged logged = Logged.begin();
                Stage stage = Stage.start(kind, POLICY, site);
                HalfOpenRelay relay = HalfOpenRelay.start(stage.container.port())) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                clients.add(RawClient.connect(relay.port()).get("/relayed/" + i));
                clients.add(stage.client().get("/direct/" + (CALLERS + i)));
            }
            for (int i = 0; i < 2 * CALLERS; i++) {
                room.visit("" + i).call();
            }
            // Of those who are connected directly one leaves, and all others wait for their 504.
            for (int i = 0; i < 2 * CALLERS; i++) {
                if (i % 2 == 0 || i == 1) {
                    clients.get(i).close();
                }
            }
            await().until(() -> stage.scrape().count("hangup_calls_total") == 2 * CALLERS);
            assertThat(stage.scrape().count("hangup_cancelled_total", Scrape.reason("caller_closed")))
                    .isEqualTo(1);
            assertThat(logged.ours().stream().filter(line -> line.contains("proxy")))
                    .singleElement()
                    .asString()
                    .startsWith("GET /relayed/{id}");
            for (RawClient client : clients) {
                client.close();
            }
        }
    }
}
