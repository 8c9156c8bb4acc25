package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.metrics.HangupMetrics;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Endpoints that no entry names, where departures cancel by default: a dashboard sees them from their first request on. */
final class DefaultModeIT {

    @EachContainer
    void endpointThatCancelsByDefaultSaysSo(ContainerKind kind) throws Exception {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        HangupMetrics metrics = new HangupMetrics();
        metrics.bindTo(registry);
        Policy policy = Policy.builder().mode(Mode.CANCEL).build();
        try (Hangup hangup = Hangup.builder().policy(policy).listener(metrics).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/plain/*", new EchoServlet()));
                RawClient client = RawClient.connect(container)) {
            assertThat(client.get("/plain/1").response().status()).isEqualTo(200);
            assertThat(client.get("/plain/2").response().status()).isEqualTo(200);
            assertThat(client.post("/plain/3", new byte[1]).response().status()).isEqualTo(200);
            String scraped = registry.scrape();
            assertThat(scraped).contains("hangup_cancelling{endpoint=\"GET /plain/*\"} 1");
            assertThat(scraped).contains("hangup_deadline_seconds{endpoint=\"GET /plain/*\"} 30");
            // A POST needs an entry of its own to be cancelled.
            assertThat(scraped).doesNotContain("hangup_cancelling{endpoint=\"POST");
        }
    }

    @EachContainer
    void nextPolicysDefaultsAreItsDefaults(ContainerKind kind, @TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("hangup.yaml"), "mode: cancel\n");
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        HangupMetrics metrics = new HangupMetrics();
        metrics.bindTo(registry);
        try (Hangup hangup = Hangup.builder().policyFile(file).listener(metrics).build();
                Container container = kind.start(
                        new Site().filter(new HangupFilter(hangup)).servlet("/plain/*", new EchoServlet()))) {
            RawClient.ask(container, "/plain/1");
            assertThat(registry.scrape()).contains("hangup_cancelling{endpoint=\"GET /plain/*\"} 1");
            Files.writeString(file, "mode: cancel\ndeadlines: { defaults: { normal: 9s } }\n");
            await().untilAsserted(() -> assertThat(registry.scrape())
                    .contains("hangup_deadline_seconds{endpoint=\"GET /plain/*\"} 9")
                    .contains("hangup_cancelling{endpoint=\"GET /plain/*\"} 1"));
            Files.writeString(file, "mode: observe\n");
            await().untilAsserted(() ->
                    assertThat(registry.scrape()).contains("hangup_cancelling{endpoint=\"GET /plain/*\"} 0"));
        }
    }
}
