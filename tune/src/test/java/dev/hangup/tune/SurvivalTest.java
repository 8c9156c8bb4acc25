package dev.hangup.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SurvivalTest {

    private final Histogram finished = new Histogram();
    private final Histogram left = new Histogram();

    @Test
    void withoutDeparturesItIsThePartThatFinished() {
        for (int millis = 1; millis <= 1_000; millis++) {
            finished.add(millis);
        }
        Survival survival = new Survival(finished, left);
        for (int millis : new int[] {0, 1, 500, 990, 999, 1_000, 5_000}) {
            assertThat(survival.finishedBy(millis)).isEqualTo(Math.min(millis, 1_000) / 1e3, Offset.offset(1e-12));
        }
        assertThat(survival.percentile(0.95)).isEqualTo(950);
        assertThat(survival.percentile(0.99)).isEqualTo(990);
        assertThat(survival.slowest()).isEqualTo(1_000);
    }

    /** The textbook's way, by hand: 5 at risk, one finishes at 10; one leaves at 20; 3 at risk, one finishes at 30. */
    @Test
    void whoLeavesIsAtRiskUntilThen() {
        finished.add(10);
        left.add(20);
        finished.add(30);
        finished.add(40);
        left.add(40);
        Survival survival = new Survival(finished, left);
        assertThat(survival.finishedBy(9)).isZero();
        assertThat(survival.finishedBy(10)).isEqualTo(1 - 4 / 5.0, Offset.offset(1e-12));
        assertThat(survival.finishedBy(20)).isEqualTo(1 - 4 / 5.0, Offset.offset(1e-12));
        assertThat(survival.finishedBy(30)).isEqualTo(1 - 4 / 5.0 * 2 / 3, Offset.offset(1e-12));
        assertThat(survival.finishedBy(40)).isEqualTo(1 - 4 / 5.0 * 2 / 3 / 2, Offset.offset(1e-12));
        assertThat(survival.atLeast(40)).isEqualTo(3 / 5.0);
        assertThat(survival.atMost(20)).isEqualTo(1 / 5.0);
        assertThat(survival.atMost(21)).isEqualTo(2 / 5.0);
    }

    @Test
    void callersWhoAllLeaveAtTwoSecondsDoNotHideHowManyWouldHaveTakenLonger() {
        Random random = new Random(5);
        int within = 0;
        for (int i = 0; i < 10_000; i++) {
            long truth = random.nextInt(100) < 70 ? random.nextInt(1_850) : 1_950 + random.nextInt(10_000);
            within += truth <= 1_900 ? 1 : 0;
            if (truth < 2_000) {
                finished.add(truth);
            } else {
                left.add(2_000);
            }
        }
        double truth = within / 10_000.0;
        assertThat(new Survival(finished, left).finishedBy(1_900)).isEqualTo(truth, Offset.offset(0.03));
        assertThat(new Survival(finished, new Histogram()).finishedBy(1_900)).isGreaterThan(truth + 0.2);
    }

    /** Patience of all lengths: each who leaves takes with him what is not known, and the estimate still holds. */
    @Test
    void impatienceOfAllLengthsIsCorrectedFor() {
        Random random = new Random(11);
        int within = 0;
        for (int i = 0; i < 20_000; i++) {
            long truth = (long) (-Math.log(1 - random.nextDouble()) * 1_500);
            long patience = 200L + random.nextInt(5_000);
            within += truth <= 1_900 ? 1 : 0;
            if (truth <= patience) {
                finished.add(truth);
            } else {
                left.add(patience);
            }
        }
        double truth = within / 20_000.0;
        Survival survival = new Survival(finished, left);
        assertThat(survival.finishedBy(1_900)).isEqualTo(truth, Offset.offset(0.02));
        assertThat(survival.atLeast(1_900)).isLessThan(truth);
        assertThat(survival.atMost(1_900)).isGreaterThan(truth);
    }

    @Test
    void nothingIsNothing() {
        Survival survival = new Survival(finished, left);
        assertThat(survival.finishedBy(1_000)).isZero();
        assertThat(survival.atMost(1_000)).isZero();
        assertThat(survival.percentile(0.99)).isEqualTo(-1);
    }
}
