package dev.hangup.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the reason which is printed is the one that decided. */
class GroundsTest {

    private static final Instant TEN = Instant.parse("2026-11-02T10:00:00Z");

    @TempDir
    Path directory;

    private final LogFile log = new LogFile();
    private int calls;

    private void calls(int count, int status, long millis) {
        for (int i = 0; i < count; i++) {
            log.add(TEN.plusSeconds(10L * calls++), "GET /reports/7", status, millis);
        }
    }

    private Path policy(String value) throws IOException {
        return Files.writeString(
                directory.resolve("hangup.yaml"),
                "deadlines: { endpoints: { \"GET /reports/{id}\": { normal: " + value + " } } }\n");
    }

    private Ran ran(String command, String value, String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of(
                command,
                "--format=tomcat",
                "--policy=" + policy(value),
                log.write(directory.resolve("access.log")).toString()));
        args.addAll(List.of(more));
        Ran ran = Ran.of(args.toArray(String[]::new));
        assertThat(ran.err()).isEmpty();
        return ran;
    }

    /** In the table, in JSON, in what apply says and in the report. */
    private void assertReason(String course, String values, String reason, String value, String... how)
            throws IOException {
        assertThat(ran("apply", value, how).out())
                .contains(course + " GET /reports/{id}, normal: " + values + "; ")
                .contains(reason);
        assertThat(ran("recommend", value, how).out()).contains("    " + reason + System.lineSeparator());
        List<String> json = new ArrayList<>(List.of(how));
        json.add("--json");
        assertThat(ran("recommend", value, json.toArray(String[]::new)).out())
                .contains("\"decision\" : \"" + course.strip() + '"', "\"reason\" : \"" + reason + '"');
        List<String> page = new ArrayList<>(List.of(how));
        page.add("--html");
        assertThat(ran("report", value, page.toArray(String[]::new)).out()).contains(course.strip() + ": " + reason);
    }

    @Test
    void headroomAloneRaisesNothing() throws IOException {
        calls(990, 200, 1_000);
        calls(9, 200, 26_580);
        calls(1, 499, 20_000);
        assertReason(
                "keep ",
                "30s",
                "100.00 % finish, of 99.00 % asked for, within 30s, and no success took longer;"
                        + " headroom alone raises nothing",
                "30s");
    }

    @Test
    void oneThatTookLongerDoes() throws IOException {
        calls(999, 200, 1_000);
        calls(1, 200, 31_000);
        calls(3, 504, 90_000);
        assertReason(
                "raise",
                "30s to 37.2s",
                "1 success took longer than 30s; the slowest success took 31s, times 1.2",
                "30s");
    }

    @Test
    void soDoesATargetThatIsMissed() throws IOException {
        calls(979, 200, 1_000);
        calls(10, 200, 26_580);
        calls(11, 504, 29_510);
        assertReason(
                "raise",
                "29.5s to 31.9s",
                "98.90 % finish, of 99.00 % asked for, within 29.5s; the slowest success took 26.58s, times 1.2",
                "29.5s");
    }

    @Test
    void aSearchSaysWhichStepItIs() throws IOException {
        calls(990, 200, 1_000);
        calls(10, 200, 2_850);
        String[] how = {"--target=0.995", "--floor=1.5s", "--cap=3s"};
        assertReason(
                "raise",
                "1.5s to 2.9s",
                "99.00 % finish, of 99.50 % asked for, within 1.5s; 2.9s is the first step from 1.5s that meets the target",
                "1.5s",
                how);
        assertReason("raise", "1s to 1.5s", "1.5s is the floor, and meets the target", "1s", "--floor=1.5s");
        assertReason("keep ", "2.87s", "100.00 % finish, of 99.50 % asked for, within 2.87s", "2.87s", how);
        assertReason(
                "keep ", "2.9s", "it is in force; 2.9s is the first step from 1.5s that meets the target", "2.9s", how);
    }

    @Test
    void aCapIsNoStepThatMeetsTheTarget() throws IOException {
        calls(970, 200, 1_000);
        calls(30, 200, 3_500);
        assertReason(
                "raise",
                "1.5s to 3s",
                "97.00 % finish, of 99.00 % asked for, within 1.5s; no step up to the cap meets the target",
                "1.5s",
                "--floor=1.5s",
                "--cap=3s");
        String[] how = {"--floor=1.5s", "--cap=3s"};
        assertThat(ran("recommend", "4s", how).out())
                .contains("97.00 % finish, of 99.00 % asked for, within 3s, and what misses its target lowers nothing");
        assertThat(ran("apply", "4s", how).out())
                .contains("4s; 3s would be lower: 97.00 % of 99.00 % is asked for (short of target)");
    }

    @Test
    void whereNoneSucceededNothingWasTheSlowest() throws IOException {
        calls(200, 499, 5_000);
        assertThat(ran("recommend", "4s", "--json").out())
                .contains("\"basis\" : \"no call succeeded\"", "\"decision\" : \"keep\"");
        assertThat(ran("apply", "4s").out()).contains("keep  GET /reports/{id}, normal: 4s; ");
    }

    @Test
    void aPolicyThatChangedSinceIsJudgedAnew() throws IOException {
        calls(990, 200, 1_000);
        calls(10, 200, 26_580);
        Path from = Files.writeString(
                directory.resolve("recommend.json"),
                ran("recommend", "20s", "--json").out());
        Ran kept = Ran.of("apply", "--policy=" + policy("28s"), "--from=" + from);
        assertThat(kept.out())
                .contains(
                        "keep  GET /reports/{id}, normal: 28s; 31.9s would be higher: the target is met from 26.58s on");
        Ran raised = Ran.of("apply", "--policy=" + policy("25s"), "--from=" + from);
        assertThat(raised.out())
                .contains(
                        "raise GET /reports/{id}, normal: 25s to 31.9s; the slowest success took 26.58s, times 1.2\n");
    }
}
