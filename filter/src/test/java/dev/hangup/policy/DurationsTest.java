package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "1500ms, PT1.5S",
        "1.5s, PT1.5S",
        "30s, PT30S",
        "2m, PT2M",
        "0.5ms, PT0.0005S",
        "0.000000001s, PT0.000000001S",
        "007s, PT7S",
        "525600m, P365D"
    })
    void readsANumberAndAUnit(String text, Duration expected) {
        assertThat(Durations.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-5ms|must not be negative",
                "-0s|must not be negative",
                "0ms|must not be zero",
                "0.000s|must not be zero",
                "30|no unit",
                "1.5|no unit",
                "2h|unknown unit \"h\"",
                "30S|unknown unit \"S\"",
                "30sec|unknown unit \"sec\"",
                "525601m|longer than a year",
                "999999999999m|longer than a year",
                "0.0000000001s|finer than a nanosecond",
                "9999999999999999999s|not a duration",
                "+5s|not a duration",
                "30 s|not a duration",
                "1,5s|not a duration",
                "1e3s|not a duration",
                ".5s|not a duration",
                "5.s|not a duration",
                "ms|not a duration",
                "PT30S|not a duration",
                "٣s|not a duration",
                "off|not a duration",
                "1s2ms|not a duration"
            })
    void saysWhatIsWrong(String text, String problem) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"" + text + "\": " + problem
                        + "; expected a duration above zero, such as 1500ms, 1.5s, 30s or 2m");
    }

    @Test
    void refusesNothing() {
        assertThatThrownBy(() -> Durations.parse("")).hasMessageStartingWith("\"\": no value; expected a duration");
    }

    @Test
    void zeroIsADurationWhereItMakesSense() {
        assertThat(Durations.parseFromZero("0ms")).isZero();
        assertThatThrownBy(() -> Durations.parseFromZero("-1ms"))
                .hasMessage("\"-1ms\": must not be negative; expected a duration of 0ms or more,"
                        + " such as 1500ms, 1.5s, 30s or 2m");
    }

    @ParameterizedTest
    @CsvSource({
        "PT30S, 30s",
        "PT2M, 2m",
        "PT90S, 90s",
        "PT1.5S, 1500ms",
        "PT0S, 0ms",
        "PT0.0005S, 0.5ms",
        "PT0.000000001S, 0.000001ms",
        "PT61.000000001S, 61000.000001ms"
    })
    void writesWhatItReads(Duration duration, String text) {
        assertThat(Durations.format(duration)).isEqualTo(text);
        assertThat(Durations.parseFromZero(text)).isEqualTo(duration);
    }
}
