package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class DeadlineTest {
    private final AtomicLong ticker = new AtomicLong(1_000);

    @Test
    void countsDownOnItsClock() {
        Deadline deadline = in(Duration.ofSeconds(3));

        assertThat(deadline.remaining()).isEqualTo(Duration.ofSeconds(3));
        ticker.addAndGet(Duration.ofSeconds(3).toNanos() - 1);
        assertThat(deadline.remaining()).isEqualTo(Duration.ofNanos(1));
        assertThat(deadline.isExpired()).isFalse();
        ticker.addAndGet(1);
        assertThat(deadline.remaining()).isZero();
        assertThat(deadline.isExpired()).isTrue();
    }

    @Test
    @DisplayName("case 65: what remains is never negative, and how long ago is said as a positive span")
    void remainingIsClampedAtZero() {
        Deadline deadline = in(Duration.ofSeconds(1));
        ticker.addAndGet(Duration.ofMillis(3_200).toNanos());

        assertThat(deadline.remaining()).isZero();
        assertThat(deadline).hasToString("deadline passed PT2.2S ago");
    }

    @Test
    void saysHowFarAwayItIs() {
        assertThat(in(Duration.ofMillis(1_500))).hasToString("deadline in PT1.5S");
        assertThat(Deadline.NONE).hasToString("no deadline");
    }

    @Test
    void noneNeverExpires() {
        assertThat(Deadline.NONE.isExpired()).isFalse();
        assertThat(Deadline.NONE.remaining()).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
    }

    @Test
    void zeroIsExpiredAtOnceAndNegativeIsRefused() {
        assertThat(in(Duration.ZERO).isExpired()).isTrue();
        assertThatThrownBy(() -> Deadline.after(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-0.001S")
                .hasMessageContaining("zero or more");
    }

    @Test
    void theEarlierOfTwoWinsAndNoneIsLast() {
        Deadline soon = in(Duration.ofSeconds(1));
        Deadline late = in(Duration.ofSeconds(2));

        assertThat(Deadline.earliest(soon, late)).isSameAs(soon);
        assertThat(Deadline.earliest(late, soon)).isSameAs(soon);
        assertThat(Deadline.earliest(Deadline.NONE, late)).isSameAs(late);
        assertThat(Deadline.earliest(late, Deadline.NONE)).isSameAs(late);
        assertThat(Deadline.earliest(Deadline.NONE, Deadline.NONE)).isSameAs(Deadline.NONE);
    }

    @Test
    void outlivesTheOverflowOfTheClock() {
        ticker.set(Long.MAX_VALUE - 5);
        Deadline soon = in(Duration.ofNanos(10));
        Deadline late = in(Duration.ofNanos(20));

        assertThat(Deadline.earliest(late, soon)).isSameAs(soon);
        assertThat(soon.remaining()).isEqualTo(Duration.ofNanos(10));
        ticker.addAndGet(11);
        assertThat(soon.isExpired()).isTrue();
        assertThat(late.remaining()).isEqualTo(Duration.ofNanos(9));
    }

    @Test
    void aSpanBeyondTheClockIsCutToHalfItsRange() {
        Deadline deadline = in(Duration.ofDays(1_000_000_000));

        assertThat(deadline.isExpired()).isFalse();
        assertThat(deadline.remaining()).isEqualTo(Duration.ofNanos(Long.MAX_VALUE / 2));
    }

    @Test
    void runsOnTheMonotonicClockByItself() {
        long before = System.nanoTime();
        Deadline deadline = Deadline.after(Duration.ofHours(1));
        long after = System.nanoTime();

        assertThat(deadline.nanoTime() - Duration.ofHours(1).toNanos()).isBetween(before, after);
    }

    private Deadline in(Duration span) {
        return Deadline.after(span, ticker::get);
    }
}
