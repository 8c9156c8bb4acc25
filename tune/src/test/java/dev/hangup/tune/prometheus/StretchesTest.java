package dev.hangup.tune.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class StretchesTest {

    private static final long HOUR = 3_600;
    private static final long DAY = 24 * HOUR;

    /** Minutes 0 to 7 of each hour are window 1. */
    private static int window(long millis) {
        return millis / 60_000 % 60 < 8 ? 1 : 0;
    }

    @Test
    void timeIsCutWhereWindowsAndRunsBegin() {
        List<Stretches.Stretch> all =
                Stretches.of(100 * DAY + 30, 102 * DAY + 90, StretchesTest::window, millis -> millis / 1_000 / DAY);
        assertThat(all.get(0)).isEqualTo(new Stretches.Stretch(1, 100, 100 * DAY + 30, 100 * DAY + 8 * 60));
        assertThat(all.get(1)).isEqualTo(new Stretches.Stretch(0, 100, 100 * DAY + 8 * 60, 100 * DAY + HOUR));
        assertThat(all.get(all.size() - 1)).isEqualTo(new Stretches.Stretch(1, 102, 102 * DAY, 102 * DAY + 90));
        assertThat(all.stream().mapToLong(Stretches.Stretch::length).sum()).isEqualTo(2 * DAY + 60);
        for (int i = 1; i < all.size(); i++) {
            assertThat(all.get(i).start()).isEqualTo(all.get(i - 1).end());
        }
    }

    @Test
    void piecesOfOneLengthAreOneQuery() {
        List<Stretches.Stretch> all = Stretches.of(0, 90 * DAY, StretchesTest::window, millis -> millis / 1_000 / DAY);
        List<Stretches.Query> queries = Stretches.queries(all);
        assertThat(queries).hasSize(2);
        assertThat(queries.get(0)).satisfies(query -> {
            assertThat(query.length()).isEqualTo(480);
            assertThat(query.step()).isEqualTo(HOUR);
            assertThat(query.start()).isEqualTo(480);
            assertThat(query.end()).isEqualTo(90 * DAY - HOUR + 480);
        });
        assertThat(queries.stream().flatMap(query -> query.byEnd().values().stream()))
                .containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void aQueryAsksForNoMorePointsThanAreAnswered() {
        List<Stretches.Stretch> all = Stretches.of(0, 1_000 * DAY, StretchesTest::window, millis -> 0);
        for (Stretches.Query query : Stretches.queries(all)) {
            assertThat((query.end() - query.start()) / query.step()).isLessThanOrEqualTo(10_000);
            query.byEnd().keySet().forEach(end -> assertThat((end - query.start()) % query.step())
                    .isZero());
        }
    }

    @Test
    void gainsThatAreNoWholeNumbersAddUp() {
        Buckets buckets = new Buckets();
        for (int i = 0; i < 3; i++) {
            buckets.add(Double.POSITIVE_INFINITY, 1.5);
            buckets.add(1, 0.6);
            buckets.add(2, 1.1);
        }
        assertThat(buckets.buckets())
                .containsExactly(
                        new Buckets.Bucket(0, 1, 2),
                        new Buckets.Bucket(1, 2, 1),
                        new Buckets.Bucket(2, Double.POSITIVE_INFINITY, 2));
    }

    @Test
    void theLastDigitsOfASumAreNoCall() {
        Buckets buckets = new Buckets();
        buckets.add(1, 519.499999999);
        buckets.add(2, 519.500000001);
        assertThat(buckets.buckets()).containsExactly(new Buckets.Bucket(0, 1, 519), new Buckets.Bucket(1, 2, 0));
    }
}
