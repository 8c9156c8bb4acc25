package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

final class AccrualTest {

    @Test
    void takesEachNanosecondOnce() {
        Accrual accrual = new Accrual(100);

        assertThat(accrual.take(130)).isEqualTo(30);
        assertThat(accrual.take(130)).isZero();
        assertThat(accrual.take(131)).isEqualTo(1);
        assertThat(accrual.close(141)).isEqualTo(10);
    }

    @Test
    void hasNothingMoreOnceClosed() {
        Accrual accrual = new Accrual(100);

        assertThat(accrual.close(110)).isEqualTo(10);
        assertThat(accrual.take(150)).isZero();
        assertThat(accrual.close(160)).isZero();
    }

    @Test
    void neverGivesANegativePiece() {
        Accrual accrual = new Accrual(100);

        assertThat(accrual.take(90)).isZero();
        assertThat(accrual.take(120)).isEqualTo(20);
        assertThat(accrual.close(110)).isZero();
    }

    @Test
    void countsAcrossTheOverflowOfTheClock() {
        Accrual accrual = new Accrual(Long.MAX_VALUE - 4);

        assertThat(accrual.take(Long.MIN_VALUE + 5)).isEqualTo(10);
    }

    /** Takers race each other and the close; every nanosecond up to the close is in the sum, and none twice. */
    @RepeatedTest(20)
    void racingTakersShareTheStretch() throws InterruptedException {
        long end = 20_000;
        Accrual accrual = new Accrual(1);
        LongAdder sum = new LongAdder();
        Runnable taker = () -> {
            for (long now = 1; now <= end; now++) {
                sum.add(accrual.take(now));
            }
        };
        Thread one = new Thread(taker);
        Thread two = new Thread(taker);
        one.start();
        two.start();
        for (long now = 1; now <= end / 2; now++) {
            sum.add(accrual.take(now));
        }
        sum.add(accrual.close(end));
        one.join();
        two.join();

        assertThat(sum.sum()).isEqualTo(end - 1);
    }
}
