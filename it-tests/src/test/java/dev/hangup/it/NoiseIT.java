package dev.hangup.it;

import static dev.hangup.it.Scrape.endpoint;
import static dev.hangup.it.Scrape.outcome;
import static dev.hangup.it.Scrape.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.io.IOException;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.DisplayName;

/** Each departure counts once, with or without a log, and what is no departure counts as none. */
final class NoiseIT {

    private static final Logger HANGUP = Logger.getLogger("dev.hangup");
    private static final int BARE_CONNECTS = 1_000;
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /work", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(30)))
            .build();

    @EachContainer
    @DisplayName("case 27: a broken pipe of the handler's own is an error of 500, not a departure")
    void aBrokenPipeOfTheHandlersOwnIsNoDeparture(ContainerKind kind) throws IOException {
        Site site = new Site().servlet("/work", new LambdaServlet((request, response) -> {
            Thread.sleep(250); // older than its grace: watched
            IOException fromDownstream = new IOException("Broken pipe");
            fromDownstream.setStackTrace(new StackTraceElement[0]); // the container logs it
            throw fromDownstream;
        }));
        try (Stage stage = Stage.start(kind, POLICY, site);
                RawClient client = stage.client()) {
            assertThat(client.get("/work").response().status()).isEqualTo(500);
            await().until(() -> stage.scrape().count("hangup_calls_total") == 1);
            Scrape scrape = stage.scrape();
            assertThat(scrape.count("hangup_calls_total", outcome("completed"))).isEqualTo(1);
            assertThat(scrape.count("hangup_cancelled_total")).isZero();
            assertThat(scrape.count("hangup_caller_patience_seconds_count")).isZero();
            assertThat(scrape.sum("hangup_unowned_work_seconds_total")).isZero();
        }
    }

    @EachContainer
    @DisplayName("case 29: the counter rises by exactly one per departure, with logging off")
    void eachDepartureCountsOnceWithLoggingOff(ContainerKind kind) throws IOException {
        Gate gate = new Gate();
        Level before = HANGUP.getLevel();
        HANGUP.setLevel(Level.OFF);
        try (Stage stage = Stage.start(kind, POLICY, new Site().servlet("/work", gate));
                Records records = Records.open()) {
            for (int i = 1; i <= 6; i++) {
                int entered = i;
                RawClient client = stage.client().get("/work");
                await().untilAsserted(() -> assertThat(gate.entered).hasValue(entered));
                if (i % 2 == 0) {
                    client.close();
                } else {
                    client.rst();
                }
                await().until(() -> stage.scrape().count("hangup_calls_total") == entered);
                Scrape scrape = stage.scrape();
                assertThat(scrape.count("hangup_cancelled_total", endpoint("GET /work")))
                        .isEqualTo(i);
                assertThat(scrape.count("hangup_cancelled_total", reason("caller_closed")))
                        .isEqualTo(i / 2);
                assertThat(scrape.count("hangup_caller_patience_seconds_count")).isEqualTo(i);
            }
            assertThat(records.lines()).isEmpty();
        } finally {
            HANGUP.setLevel(before);
        }
    }

    @EachContainer
    @DisplayName("case 30: who connects and says nothing, or half a request, is neither logged nor counted")
    void bareConnectsAreNeitherLoggedNorCounted(ContainerKind kind) throws IOException {
        Gate gate = new Gate();
        try (Stage stage = Stage.start(kind, POLICY, new Site().servlet("/work", gate));
                Records records = Records.open()) {
            for (int i = 0; i < BARE_CONNECTS; i++) {
                RawClient client = stage.client();
                if (i % 10 == 0) {
                    client.send("GET /work HT");
                }
                if (i % 3 == 0) {
                    client.rst();
                } else {
                    client.close();
                }
            }
            try (RawClient client = stage.client()) {
                gate.open();
                assertThat(client.get("/work").response().body()).isEqualTo("opened");
            }
            await().until(() -> stage.turnstile.inside() == 0);
            assertThat(stage.turnstile.requests).hasValue(1);
            assertThat(stage.scrape().count("hangup_calls_total")).isEqualTo(1);
            assertThat(stage.scrape().count("hangup_cancelled_total")).isZero();
            assertThat(records.lines()).isEmpty();
        }
    }
}
