package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class DeadlinesTest {

    private static final Duration ONE = Duration.ofSeconds(1);
    private static final Duration TWO = Duration.ofSeconds(2);
    private static final Duration THREE = Duration.ofSeconds(3);
    private static final Duration FOUR = Duration.ofSeconds(4);

    private final AtomicInteger now = new AtomicInteger();
    private final Windows windows = new Windows(
            Map.of("spike", Window.EVER.minutes(1, 1)), ZoneOffset.UTC, () -> Instant.ofEpochSecond(now.get() * 60L));

    @Test
    void theEntryGoesBeforeTheDefaultsAndTheWindowBeforeNormal() {
        Map<String, Duration> both = Map.of("normal", ONE, "spike", TWO);
        Map<String, Duration> defaults = Map.of("normal", THREE, "spike", FOUR);

        assertThat(inSpike(both, defaults)).isEqualTo(TWO);
        assertThat(inSpike(Map.of("normal", ONE), defaults)).isEqualTo(ONE);
        assertThat(inSpike(Map.of(), defaults)).isEqualTo(FOUR);
        assertThat(inSpike(Map.of(), Map.of("normal", THREE))).isEqualTo(THREE);
        assertThat(inSpike(Map.of(), Map.of())).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void anEntryOfAnotherWindowLeavesTheDefault() {
        now.set(0);
        assertThat(new Deadlines(windows, Map.of("spike", TWO), Map.of("normal", THREE)).now())
                .isEqualTo(THREE);
    }

    @Test
    void theWindowIsLookedUpAtEachCall() {
        Deadlines deadlines = new Deadlines(windows, Map.of("normal", ONE, "spike", TWO), Map.of());

        assertThat(deadlines.now()).isEqualTo(ONE);
        now.set(1);
        assertThat(deadlines.now()).isEqualTo(TWO);
        now.set(0);
        assertThat(deadlines.now()).isEqualTo(ONE);
    }

    private Duration inSpike(Map<String, Duration> entry, Map<String, Duration> defaults) {
        now.set(1);
        return new Deadlines(windows, entry, defaults).now();
    }
}
