package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.hangup.call.Deadline;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How long to wait for what the application calls. Within a call: see the integration tests. */
final class SourcesTest {

    private static final String YAML = """
            windows:
              spike_00: { minutes: 0-7 }
              spike_30: { minutes: 30-37 }
            sources:
              defaults: { normal: 1.5s, spike_30: 2s }
              weather_a: { host: a.example.com, normal: 1.2s, spike_00: 3s }
              weather_b: { host: "b.example.com:8443", spike_00: 4s }
              weather_c: { host: "[2001:db8::1]" }
            """;

    private final AtomicLong seconds = new AtomicLong();
    private final Policy policy =
            PolicyFile.parse("hangup.yaml", YAML).policy(() -> Instant.ofEpochSecond(seconds.get()));

    private String timeouts(int minute) {
        seconds.set(minute * 60L);
        return policy.timeoutFor("weather_a") + " " + policy.timeoutFor("weather_b");
    }

    @Test
    void aSourceHasItsOwnTimeoutInEachWindow() {
        assertThat(timeouts(7)).isEqualTo("PT3S PT4S");
        assertThat(timeouts(8)).isEqualTo("PT1.2S PT1.5S");
        assertThat(timeouts(30))
                .as("entry and normal go before defaults and window")
                .isEqualTo("PT1.2S PT2S");
        assertThat(policy.source("weather_a")).hasToString("weather_a (a.example.com, spike_30: 1200ms)");
    }

    @Test
    void aSourceIsFoundByItsHost() {
        assertThat(policy.sourceAt("A.Example.com", 443)).map(Source::name).contains("weather_a");
        assertThat(policy.sourceAt("b.example.com", 8443)).map(Source::name).contains("weather_b");
        assertThat(policy.sourceAt("b.example.com", 443)).isEmpty();
        assertThat(policy.sourceAt("b.example.com", -1)).isEmpty();
        assertThat(policy.sourceAt("[2001:DB8::1]", -1)).map(Source::name).contains("weather_c");
    }

    @Test
    void anUnknownSourceIsNamedTogetherWithThoseThatThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.timeoutFor("weather"))
                .withMessage("the policy has no source \"weather\"; expected one of [weather_a, weather_b, weather_c]");
    }

    @Test
    void withoutAnyTimeoutItIsThatOfADeadline() {
        Policy bare =
                PolicyFile.parse("hangup.yaml", "sources: { a: { host: a } }").policy();
        assertThat(bare.timeoutFor("a")).isEqualTo(Duration.ofSeconds(30));
    }

    /** {@link URI} has none for such a name, which is common among containers. */
    @Test
    void aHostMayHaveAnUnderscore() {
        Policy policy = PolicyFile.parse("hangup.yaml", "sources: { weather: { host: 'weather_a:8080', normal: 3s } }")
                .policy();
        assertThat(Allotment.of(policy, URI.create("http://me@Weather_A:8080/now"), Deadline.NONE)
                        .source())
                .isEqualTo("weather");
        assertThat(Allotment.of(policy, URI.create("http://weather_a/now"), Deadline.NONE)
                        .host())
                .isEqualTo("weather_a");
    }
}
