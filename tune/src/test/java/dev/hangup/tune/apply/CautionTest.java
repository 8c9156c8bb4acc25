package dev.hangup.tune.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CautionTest {

    private static final Duration CURRENT = Duration.ofSeconds(3);
    private static final Duration LOWER = Duration.ofSeconds(2);
    private static final Duration HIGHER = Duration.ofSeconds(4);

    private static Ruling decide(@Nullable Duration recommended, double rate, int runs, int meeting, String issue) {
        Advice advice = new Advice(
                new Target(Target.Kind.SOURCE, "a"),
                "normal",
                recommended,
                1_000,
                rate,
                Double.NaN,
                new Advice.Runs(runs, meeting),
                issue,
                Advice.Why.UNKNOWN,
                false);
        return new Caution(5, 0.002).decide(advice, CURRENT);
    }

    private static void assertKept(Ruling ruling, String reason) {
        assertThat(ruling.course()).isEqualTo(Ruling.Course.KEEP);
        assertThat(ruling.to()).isEqualTo(CURRENT);
        assertThat(ruling.reason()).contains(reason);
    }

    @Test
    void upwardsTheSamplesSuffice() {
        assertThat(decide(HIGHER, 0.995, 0, 0, "").course()).isEqualTo(Ruling.Course.RAISE);
        Ruling short_ = decide(HIGHER, 0.9, 0, 0, "short of target");
        assertThat(short_.course()).isEqualTo(Ruling.Course.RAISE);
        assertThat(short_.reason()).contains("short of target");
    }

    @Test
    void downwardsEveryMarginMustBeCleared() {
        Ruling lower = decide(LOWER, 0.992, 5, 4, "");
        assertThat(lower.course()).isEqualTo(Ruling.Course.LOWER);
        assertThat(lower.to()).isEqualTo(LOWER);
        assertKept(decide(LOWER, 0.9919, 5, 5, ""), "99.19 % does not exceed 99.00 % by the margin of 0.002");
        assertKept(decide(LOWER, 0.999, 4, 4, ""), "4 runs with enough samples, and lowering takes 5");
        assertKept(decide(LOWER, 0.999, 6, 3, ""), "3 of 6 runs meet the target");
        assertKept(decide(LOWER, Double.NaN, 6, 6, ""), "no success rate");
    }

    @Test
    void whatMissesItsTargetNeverLowers() {
        assertKept(decide(LOWER, 0.95, 9, 9, ""), "95.00 % of 99.00 % is asked for");
        assertKept(decide(LOWER, 0.9999, 9, 9, "short of target"), "short of target");
    }

    @Test
    void withoutAValueThereIsNothingToDo() {
        assertKept(decide(null, Double.NaN, 0, 0, "insufficient samples"), "insufficient samples (1000 samples)");
        assertKept(decide(CURRENT, 0.999, 9, 9, ""), "is what is recommended");
    }

    @Test
    void aTargetNearOneTakesASmallerMargin() {
        Advice advice = new Advice(
                new Target(Target.Kind.SOURCE, "a"),
                "normal",
                LOWER,
                1_000,
                1,
                0.999,
                new Advice.Runs(9, 9),
                "",
                Advice.Why.UNKNOWN,
                false);
        assertKept(new Caution(5, 0.002).decide(advice, CURRENT), "a smaller margin is needed");
        assertThat(new Caution(5, 0.001).decide(advice, CURRENT).course()).isEqualTo(Ruling.Course.LOWER);
    }
}
