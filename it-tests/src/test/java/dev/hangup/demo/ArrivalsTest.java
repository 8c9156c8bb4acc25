package dev.hangup.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.hangup.demo.Arrivals.Arrival;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ArrivalsTest {

    @Test
    void theSameSeedGivesTheSameLoad() {
        assertThat(arrivals(7, 0.08)).isEqualTo(arrivals(7, 0.08)).isNotEqualTo(arrivals(8, 0.08));
    }

    @Test
    void ratesAreAsAsked() {
        List<Arrival> arrivals = arrivals(7, 0.08);

        assertThat(arrivals.size() / 1000.0).isCloseTo(100, within(1.0));
        assertThat(arrivals.stream().filter(Arrival::slow).count() / 1000.0).isCloseTo(8, within(0.3));
    }

    /** Gaps of a Poisson process are exponential: as wide as their mean, unlike those of a metronome. */
    @Test
    void gapsAreIrregular() {
        List<Arrival> arrivals = arrivals(7, 0.08);
        double mean = 0.01e9;
        double variance = 0;
        for (int i = 1; i < arrivals.size(); i++) {
            double gap = arrivals.get(i).afterNanos() - arrivals.get(i - 1).afterNanos();
            variance += (gap - mean) * (gap - mean) / arrivals.size();
        }

        assertThat(Math.sqrt(variance)).isCloseTo(mean, within(0.02 * mean));
    }

    @Test
    void theNullControlHasNothingSlow() {
        assertThat(arrivals(7, 0)).noneMatch(Arrival::slow);
    }

    private static List<Arrival> arrivals(long seed, double slowShare) {
        return Arrivals.poisson(seed, 100, slowShare, Duration.ofSeconds(1000));
    }
}
