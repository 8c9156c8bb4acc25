package dev.hangup.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole demo, smaller and shorter than anybody would run it, so that its bounds are loose. */
@Tag("alone")
final class DemoIT {
    private static final List<String> FIGURES = List.of(
            "pool_share", "unowned_in_flight", "pool_available", "served_in_time_per_second", "served_in_time_share");

    @TempDir
    Path folder = Path.of("");

    @Test
    void theSameLoadCollapsesWithoutHangupAndIsServedWithIt() throws Exception {
        Path json = folder.resolve("demo.json");
        ByteArrayOutputStream printed = new ByteArrayOutputStream();

        Report report = new Demo(
                        new Settings(0.05, false, 0, json, 426, Settings.App.SERVLET),
                        Plan.BRIEF,
                        new PrintStream(printed, true, StandardCharsets.UTF_8))
                .run();

        Figures without = report.steady(Phase.WITHOUT);
        Figures with = report.steady(Phase.WITH);
        assertThat(without.poolShare()).isBetween(0.5, 1.0);
        assertThat(with.poolShare()).isBetween(0.0, 0.1);
        assertThat(with.servedInTimeShare()).isGreaterThan(0.9);
        assertThat(with.committedForNobody()).isLessThan(without.committedForNobody() / 4);
        assertThat(report.steady(Phase.NULL_WITHOUT).servedInTimeShare()).isGreaterThan(0.95);
        assertThat(report.steady(Phase.NULL_WITH).servedInTimeShare()).isGreaterThan(0.95);
        assertThat(report.steady(Phase.RETRY_WITHOUT).servedInTimeShare()).isLessThan(0.5);
        assertThat(report.steady(Phase.RETRY_WITH).servedInTimeShare()).isGreaterThan(0.8);
        assertThat(report.addedWithout()).isCloseTo(5, within(1.0));
        assertThat(report.addedWith()).isLessThan(1);
        // The full demo agrees within 2 %; in these short phases a pause of the machine weighs more.
        assertThat(report.agreement().largestDifference()).isLessThan(0.2);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("predicted", "without", "with Hangup", "unowned calls in flight", "78.1 %");
        assertThatAllObjectsAreIn(Files.readString(json));
    }

    private static void assertThatAllObjectsAreIn(String json) {
        assertThat(json).contains("\"scale\": 0.05");
        for (String object :
                List.of("predicted", "without", "with", "null_without", "null_with", "retry_without", "retry_with")) {
            for (String figure : FIGURES) {
                assertThat(json).containsPattern("\n  \"" + object + "\": \\{[^}]*\"" + figure + "\": [0-9.]+[,\n]");
            }
        }
    }
}
