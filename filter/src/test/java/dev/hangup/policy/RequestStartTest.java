package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RequestStartTest {

    /** 2023-11-14T22:13:20.500Z. */
    private static final long NOW = 1_700_000_000_500L;

    @ParameterizedTest
    @CsvSource({
        "t=1700000000, PT0S",
        "t=1699999999, PT0.5S",
        "1699999990, PT9.5S",
        "t=1700000000.5, PT0S",
        "t=1699999999.123, PT1.377S",
        "t=1699999998.000001, PT2.499999S",
        "t=1699999998.000000999, PT2.5S",
        "t=1699999998500, PT2S",
        "t=1699999998500000, PT2S",
        "t=1699999998500001, PT1.999999S",
        "1699999998500, PT2S",
        "1699999998.5, PT2S",
        "' t=1699999998500 ', PT2S",
        "t=1700000010500, PT0S",
        "t=1700000001, PT0S",
        "t=1699999400500, PT10M",
    })
    void isSoLongAgo(String value, Duration waited) {
        assertThat(RequestStart.waited(List.of(value), NOW)).isEqualTo(waited);
    }

    /** As it would be if a second that has been cut counted from its begin: a deadline of half a second would have passed. */
    @Test
    void whoHasComeWithinTheSecondThatIsToldHasNotWaited() {
        for (int millis = 0; millis < 1_000; millis++) {
            assertThat(RequestStart.waited(List.of("t=1700000000"), 1_700_000_000_000L + millis))
                    .isEqualTo(Duration.ZERO);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "''",
        "t=",
        "t=0",
        "t=-1699999998500",
        "t=+1699999998500",
        "t=1e12",
        "t=now",
        "T=1699999998500",
        "start=1699999998500",
        "t=t=1699999998500",
        "t=1699999998500.5",
        "t=1699999998.",
        "t=.5",
        "t=1699999998.5.5",
        "t=1699999998.0000000000",
        "t=16999",
        "t=1699999400499",
        "t=1700000010501",
        "t=1699996400500",
        "t=1700003600500",
        "t=1699999998500000000",
        "t=9223372036854775807",
        "t=99999999999999999999999",
        "'t=1699999998500, t=1699999998500'",
    })
    void isNotBelieved(String value) {
        assertThat(RequestStart.waited(List.of(value), NOW)).isNull();
    }

    @Test
    void twoAreNone() {
        assertThat(RequestStart.waited(List.of("t=1700000000", "t=1700000000"), NOW))
                .isNull();
    }
}
