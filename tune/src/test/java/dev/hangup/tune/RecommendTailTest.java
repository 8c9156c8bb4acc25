package dev.hangup.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What the tail is made of, and what follows from that. */
class RecommendTailTest extends RecommendedLog {

    @Test
    void aTailBeyondTheCapGivesTheCapAndSaysHowFarShort() throws IOException {
        fast("spike_00", 970);
        for (int i = 0; i < 30; i++) {
            call("spike_00", 200, 3_500 + i);
        }
        Recommendation found = only(recommend("--floor=1.5s", "--cap=3s"));
        assertThat(found.recommended()).isEqualTo(Duration.ofSeconds(3));
        assertThat(found.estimatedSuccessRate()).isEqualTo(0.97);
        assertThat(found.issue()).isEqualTo(Issue.SHORT_OF_TARGET);
        assertThat(found.decision()).isEqualTo(Decision.RAISE);
        assertThat(found.tail()).isEqualTo(new Tail(0, 30, 0));
        assertThat((Double) found.more().get("shortfall")).isEqualTo(0.025, Offset.offset(1e-9));
        assertThat(run("--floor=1.5s", "--cap=3s").out()).contains("falls short by 2.50 %");
    }

    @Test
    void whatMissesItsTargetIsNoReasonToLower() throws IOException {
        fast("normal", 900);
        for (int i = 0; i < 100; i++) {
            call("normal", 200, 5_000);
        }
        Recommendation found = only(recommend("--floor=500ms", "--cap=1s"));
        assertThat(found.recommended()).isEqualTo(Duration.ofSeconds(1));
        assertThat(found.decision()).isEqualTo(Decision.KEEP);
    }

    @Test
    void errorsThatMakeTheTailLeaveTheValueAlone() throws IOException {
        fast("normal", 950);
        for (int i = 0; i < 50; i++) {
            call("normal", i % 2 == 0 ? 503 : 504, 37_000);
        }
        for (String[] how : new String[][] {{"--floor=1.5s", "--cap=3s"}, {"--floor=500ms"}, {}}) {
            Recommendation found = only(recommend(how));
            assertThat(found.recommended()).isEqualTo(Duration.ofMillis(1_500));
            assertThat(found.decision()).isEqualTo(Decision.KEEP);
            assertThat(found.issue()).isEqualTo(Issue.ERRORS_IN_TAIL);
            assertThat(found.samples()).isEqualTo(950);
            assertThat(found.tail().errors()).isEqualTo(50);
        }
        assertThat(run().out()).contains("made of errors");
    }

    @Test
    void slowSuccessesAreWorthWaitingForWhateverElseFails() throws IOException {
        fast("normal", 950);
        for (int i = 0; i < 50; i++) {
            call("normal", i < 20 ? 200 : 503, i < 20 ? 2_040 : 37_000);
        }
        Recommendation found = only(recommend("--floor=1.5s", "--cap=3s"));
        assertThat(found.recommended()).isEqualTo(Duration.ofMillis(2_100));
        assertThat(found.decision()).isEqualTo(Decision.RAISE);
        assertThat(found.tail()).isEqualTo(new Tail(30, 20, 0));
    }

    @Test
    void aCallKilledAtTheValueInForceIsCensoredAndNoError() throws IOException {
        fast("normal", 900);
        for (int i = 0; i < 100; i++) {
            call("normal", 504, 1_510);
        }
        Recommendation found = only(recommend("--floor=1.5s", "--cap=3s"));
        assertThat(found.samples()).isEqualTo(1_000);
        assertThat(found.tail()).isEqualTo(new Tail(0, 0, 100));
        assertThat(found.estimatedSuccessRate()).isEqualTo(0.9, Offset.offset(1e-9));
        assertThat(found.issue()).isEqualTo(Issue.SHORT_OF_TARGET);
    }
}
