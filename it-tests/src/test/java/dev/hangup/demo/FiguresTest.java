package dev.hangup.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Of attempts whose instants are written by hand, in seconds; the window is 10 s to 20 s, the pool has 4 connections. */
final class FiguresTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Window WINDOW = new Window(10 * SECOND, 20 * SECOND);

    @Test
    void whatIsHeldForNobodyIsWeightedByTime() {
        // left at 12, worked until 17, held its connection from 11 to 16
        Figures figures = figures(slow(11, 12, 11, 16, 17));

        assertThat(figures.unownedInFlight()).isCloseTo(0.5, within(1e-9));
        assertThat(figures.unownedSeconds()).isCloseTo(5, within(1e-9));
        assertThat(figures.unownedPoolSeconds()).isCloseTo(4, within(1e-9));
        assertThat(figures.poolShare()).isCloseTo(0.4 / 4, within(1e-9));
        assertThat(figures.poolAvailable()).isCloseTo(4 - 0.4, within(1e-9));
        assertThat(figures.poolIdle()).isCloseTo(4 - 0.5, within(1e-9));
    }

    @Test
    void onlyWhatLiesInTheWindowCounts() {
        assertThat(figures(slow(2, 5, 3, 14, 14)).unownedSeconds()).isCloseTo(4, within(1e-9));
        assertThat(figures(slow(18, 19, 18, 25, 25)).unownedSeconds()).isCloseTo(1, within(1e-9));
        assertThat(figures(slow(2, 3, 3, 9, 9)).unownedSeconds()).isZero();
        assertThat(figures(slow(21, 22, 21, 29, 29)).unownedSeconds()).isZero();
    }

    @Test
    void workThatGoesOnCountsUpToTheEndOfTheWindow() {
        assertThat(figures(slow(11, 12, 11, 0, 0)).unownedSeconds()).isCloseTo(8, within(1e-9));
    }

    @Test
    void aCallerWhoStaysOwnsTheWork() {
        assertThat(figures(slow(11, 0, 11, 16, 16)).unownedSeconds()).isZero();
    }

    @Test
    void workThatBeginsAfterTheCallerHasLeftIsUnownedFromItsBeginning() {
        Attempt queued = slow(11, 12, 0, 0, 0);
        queued.beganAt = 15 * SECOND;
        queued.endedAt = 16 * SECOND;

        assertThat(figures(queued).unownedSeconds()).isCloseTo(1, within(1e-9));
        assertThat(figures(queued).unownedPoolSeconds()).isZero();
    }

    @Test
    void aRequestThatNeverReachedTheServerWorksForNobody() {
        Attempt lost = slow(11, 12, 0, 0, 0);
        lost.beganAt = 0;

        assertThat(figures(lost).unownedSeconds()).isZero();
    }

    @Test
    void servedInTimeIsCountedByWhenTheRequestWasSent() {
        Figures figures = figures(fast(9, true), fast(10, true), fast(12, false), fast(19, true), fast(20, true));

        assertThat(figures.servedInTimeShare()).isCloseTo(2.0 / 3, within(1e-9));
        assertThat(figures.servedInTimePerSecond()).isCloseTo(0.2, within(1e-9));
    }

    @Test
    void slowRequestsAreNotAmongTheFast() {
        assertThat(figures(slow(11, 12, 11, 16, 16), fast(11, true)).servedInTimeShare())
                .isEqualTo(1);
    }

    @Test
    void aCommitAfterTheCallerHasLeftIsForNobody() {
        Attempt late = slow(11, 12, 11, 16, 16);
        late.committedAt = 15 * SECOND;
        Attempt early = slow(11, 12, 11, 16, 16);
        early.committedAt = 11 * SECOND;
        Attempt owned = slow(11, 0, 11, 16, 16);
        owned.committedAt = 15 * SECOND;

        assertThat(figures(late, early, owned).committedForNobody()).isEqualTo(1);
    }

    private static Figures figures(Attempt... attempts) {
        return Figures.of(List.of(attempts), WINDOW, 4);
    }

    private static Attempt slow(long opened, long left, long borrowed, long returned, long ended) {
        Attempt attempt = new Attempt(1, true, opened * SECOND);
        attempt.beganAt = opened * SECOND;
        attempt.leftAt = left * SECOND;
        attempt.borrowedAt = borrowed * SECOND;
        attempt.returnedAt = returned * SECOND;
        attempt.endedAt = ended * SECOND;
        return attempt;
    }

    private static Attempt fast(long opened, boolean served) {
        Attempt attempt = new Attempt(1, false, opened * SECOND);
        attempt.servedAt = served ? opened * SECOND + 1 : 0;
        return attempt;
    }
}
