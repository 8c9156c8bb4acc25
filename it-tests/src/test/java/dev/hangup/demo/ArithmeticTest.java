package dev.hangup.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ArithmeticTest {

    private final Arithmetic original = new Arithmetic(100, 0.08, Duration.ofSeconds(30), Duration.ofSeconds(5), 256);

    @Test
    void twoHundredOfTheConnectionsWorkForNobody() {
        assertThat(original.unownedInFlight()).isEqualTo(200);
        assertThat(original.poolShare()).isEqualTo(0.78125);
        assertThat(original.poolAvailable()).isEqualTo(56);
    }

    @Test
    void theRestServesElevenOfAHundredRequests() {
        assertThat(original.servablePerSecond()).isEqualTo(11);
        assertThat(original.servableShare()).isEqualTo(0.11);
    }

    @Test
    void everyAttemptAddsTheSame() {
        assertThat(original.addedBy(1)).isEqualTo(Duration.ofSeconds(25));
        assertThat(original.addedBy(4)).isEqualTo(Duration.ofSeconds(100));
    }

    @Test
    void nothingSlowCostsNothing() {
        Arithmetic control = new Arithmetic(100, 0, Duration.ofSeconds(30), Duration.ofSeconds(5), 256);

        assertThat(control.unownedInFlight()).isZero();
        assertThat(control.poolAvailable()).isEqualTo(256);
    }

    @Test
    void aCallerWhoOutwaitsTheServerLeavesNothingBehind() {
        Arithmetic patient = new Arithmetic(100, 0.08, Duration.ofSeconds(5), Duration.ofSeconds(30), 256);

        assertThat(patient.ownerless()).isZero();
        assertThat(patient.poolShare()).isZero();
    }

    @Test
    void aPoolThatDoesNotSufficeHasNothingLeft() {
        Arithmetic small = new Arithmetic(100, 0.08, Duration.ofSeconds(30), Duration.ofSeconds(5), 100);

        assertThat(small.poolShare()).isEqualTo(2);
        assertThat(small.poolAvailable()).isZero();
        assertThat(small.servablePerSecond()).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.1, 0.3, 1})
    void theScaleDoesNotChangeTheShares(double scale) {
        Arithmetic scaled = Scenario.at(scale).arithmetic(Scenario.SLOW_SHARE);

        assertThat(scaled.unownedInFlight()).isCloseTo(200 * scale, within(1e-6));
        assertThat(scaled.poolShare()).isCloseTo(0.78125, within(1e-9));
        assertThat(scaled.servablePerSecond()).isEqualTo(11);
    }

    @Test
    void oneTenthIsTwentyOfTwentySix() {
        Scenario tenth = Scenario.at(0.1);

        assertThat(tenth.pool()).isEqualTo(26);
        assertThat(tenth.slowWork()).isEqualTo(Duration.ofSeconds(3));
        assertThat(tenth.fastWork()).isEqualTo(Duration.ofMillis(50));
        assertThat(tenth.patience()).isEqualTo(Duration.ofMillis(500));
        assertThat(tenth.workers()).isGreaterThanOrEqualTo(128);
        assertThat(tenth.arithmetic(Scenario.SLOW_SHARE).unownedInFlight()).isCloseTo(20, within(1e-9));
    }
}
