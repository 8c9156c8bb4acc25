package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TimeoutPairTest {

    @ParameterizedTest
    @CsvSource({
        "PT30S, PT5S, false, true, works_for_nobody",
        "PT30S, PT5S, true, true, stable",
        "PT5S, PT30S, true, true, waits_for_killed",
        "PT5S, PT30S, false, true, waits_for_killed",
        "PT30S, PT30S, true, true, no_headroom",
        "PT30S, PT29S, false, true, no_headroom",
        "PT30S, PT31S, false, true, no_headroom",
        "PT30S, PT28.5S, false, true, works_for_nobody",
        "PT30S, PT31.5S, true, true, waits_for_killed",
        "PT30S, PT5S, true, false, unreachable",
        "PT30S, PT60S, false, false, unreachable",
        "PT30S, , true, true, unknown",
        "PT30S, , true, false, unknown",
    })
    void reads(Duration server, Duration client, boolean cancels, boolean reachable, String verdict) {
        assertThat(new TimeoutPair(server, client, cancels, reachable).verdict().key())
                .isEqualTo(verdict);
    }

    @Test
    void eachSaysWhatToDo() {
        assertThat(Verdict.values())
                .extracting(Verdict::advice)
                .doesNotHaveDuplicates()
                .allMatch(a -> a.length() > 20);
        assertThat(Verdict.UNREACHABLE.advice()).contains("raise the client's timeout, or answer asynchronously");
    }
}
