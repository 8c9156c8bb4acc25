package dev.hangup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** When departures show a timeout of the callers', and when not. */
final class PatienceTest {

    private final Patience patience = new Patience();
    private final Random random = new Random(7);

    private boolean leave(int times, double millis, double spread) {
        boolean changed = false;
        for (int i = 0; i < times; i++) {
            changed |= patience.left(Duration.ofNanos((long) ((millis + random.nextDouble() * spread) * 1e6)));
        }
        return changed;
    }

    private double seconds() {
        return Objects.requireNonNull(patience.timeout()).toNanos() / 1e9;
    }

    @Test
    void aPileIsATimeout() {
        assertThat(leave(Patience.ENOUGH - 1, 5_000, 100)).isFalse();
        assertThat(patience.timeout()).isNull();
        assertThat(leave(1, 5_000, 100)).isTrue();
        assertThat(seconds()).isBetween(5.0, 5.1);
    }

    @Test
    void aPileAmongOthersIsOne() {
        leave(60, 0, 30_000);
        leave(60, 5_000, 50);
        assertThat(seconds()).isBetween(4.9, 5.2);
    }

    @Test
    void aSpreadIsNone() {
        leave(120, 0, 30_000);
        assertThat(patience.timeout()).isNull();
    }

    @Test
    void onlyTheLastOnesCount() {
        leave(200, 5_000, 50);
        assertThat(leave(Patience.KEPT, 12_000, 50)).isTrue();
        assertThat(seconds()).isBetween(12.0, 12.1);
    }

    @Test
    void aFastTimeoutIsFoundWithinTheJitterOfTheMachine() {
        leave(40, 50, 15);
        assertThat(seconds()).isBetween(0.05, 0.07);
    }

    @Test
    void whoeverGetsAnAnswerShowsThatOneCanBeHad() {
        leave(Patience.IN_VAIN - 1, 5_000, 50);
        assertThat(patience.isReachable()).isTrue();
        leave(1, 5_000, 50);
        assertThat(patience.isReachable()).isFalse();
        patience.answered();
        assertThat(patience.isReachable()).isTrue();
    }
}
