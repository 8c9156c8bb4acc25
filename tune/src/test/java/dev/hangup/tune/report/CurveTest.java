package dev.hangup.tune.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class CurveTest {

    /** The example of Kaplan and Meier's own kind: six patients, two of them lost from sight. */
    @Test
    void whoLeftCountsUntilThen() {
        Curve curve = Curve.of(new double[] {1, 2, 3, 4}, new long[] {1, 1, 1, 1}, new long[] {0, 1, 1, 0});
        assertThat(curve.at(0.5)).isZero();
        assertThat(curve.at(1)).isEqualTo(1 / 6.0, within(1e-12));
        assertThat(curve.at(2.5)).isEqualTo(1 - 5 / 6.0 * 4 / 5, within(1e-12));
        assertThat(curve.at(3)).isEqualTo(1 - 5 / 6.0 * 4 / 5 * 2 / 3, within(1e-12));
        assertThat(curve.at(9)).isEqualTo(1);
        assertThat(curve.when(0.5)).isEqualTo(3);
        assertThat(Curve.NONE.at(1)).isZero();
    }

    @Test
    void figuresAreShortAndNeverFlatter() {
        assertThat(Markup.share(0.99999)).isEqualTo("99.999\u00A0%");
        assertThat(Markup.share(0.9949)).isEqualTo("99.49\u00A0%");
        assertThat(Markup.share(0.99)).isEqualTo("99\u00A0%");
        assertThat(Markup.share(0.997)).isEqualTo("99.7\u00A0%");
        assertThat(Markup.share(1)).isEqualTo("100\u00A0%");
        assertThat(Markup.share(0.5)).isEqualTo("50\u00A0%");
        assertThat(Markup.seconds(2.85)).isEqualTo("2.85\u00A0s");
        assertThat(Markup.seconds(0.12)).isEqualTo("120\u00A0ms");
        assertThat(Markup.count(1_234_567)).isEqualTo("1\u202F234\u202F567");
    }

    @Test
    void ticksAreRoundAndFew() {
        for (double last = 0.003; last < 4_000; last *= 1.07) {
            assertThat(Scale.of(last / 3, last).ticks()).hasSizeBetween(3, 6);
            assertThat(Scale.of(last / 300, last).ticks()).hasSizeBetween(2, 7);
        }
        assertThat(Scale.of(1, 3).ticks()).containsExactly(0.0, 1.0, 2.0, 3.0);
        assertThat(Scale.of(1, 12).ticks()).containsExactly(0.0, 5.0, 10.0);
    }
}
