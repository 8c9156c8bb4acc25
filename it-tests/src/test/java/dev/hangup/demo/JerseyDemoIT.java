package dev.hangup.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The demo with {@code -Ddemo.app=jersey}, beside other tests, which leave its figures no more than a direction. */
final class JerseyDemoIT {

    @Test
    void theSameReportsByResourcesAreStoppedToo() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        Report report = new Demo(
                        new Settings(0.05, false, 0, null, 426, Settings.App.JERSEY),
                        Plan.BRIEF,
                        new PrintStream(printed, true, StandardCharsets.UTF_8))
                .run();

        Figures without = report.steady(Phase.WITHOUT);
        Figures with = report.steady(Phase.WITH);
        assertThat(without.poolShare()).isGreaterThan(0.3);
        assertThat(with.poolShare()).isLessThan(without.poolShare() / 2);
        assertThat(with.committedForNobody()).isLessThan(without.committedForNobody());
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("with Hangup", "unowned calls in flight");
    }
}
