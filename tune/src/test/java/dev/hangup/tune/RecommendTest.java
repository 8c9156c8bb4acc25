package dev.hangup.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RecommendTest extends RecommendedLog {

    /** The definition, word by word and with nothing of the tool's: up from the floor until enough would have finished. */
    private double oracle(String window, double target) {
        List<Long> all = samples.getOrDefault(window, List.of());
        for (int tenths = 15; tenths <= 30; tenths++) {
            long value = tenths * 100L;
            long within = all.stream().filter(millis -> millis <= value).count();
            if (within >= target * all.size()) {
                return tenths / 10.0;
            }
        }
        return 3.0;
    }

    private static double seconds(Map<String, Recommendation> found, String window) {
        Recommendation recommendation = found.get(window);
        assertThat(recommendation).as(window).isNotNull();
        Double seconds = recommendation == null ? null : Json.seconds(recommendation.recommended());
        return seconds == null ? Double.NaN : seconds;
    }

    private void workedExample() {
        fast("normal", 1_000);
        fast("spike_00", 990);
        for (int i = 0; i < 10; i++) {
            call("spike_00", 200, 2_850);
        }
        fast("spike_30", 1_000);
    }

    @Test
    void theWorkedExampleIsWhatAnOracleSays() throws IOException {
        workedExample();
        for (String[] how : new String[][] {{"--by=source", "--source=weather"}, {"--floor=1.5s", "--cap=3s"}}) {
            Map<String, Recommendation> found = recommend(how);
            assertThat(found).containsOnlyKeys("normal", "spike_00", "spike_30");
            assertThat(seconds(found, "normal"))
                    .isEqualTo(oracle("normal", 0.99))
                    .isEqualTo(1.5);
            assertThat(seconds(found, "spike_00"))
                    .isEqualTo(oracle("spike_00", 0.995))
                    .isEqualTo(2.9);
            assertThat(seconds(found, "spike_30"))
                    .isEqualTo(oracle("spike_30", 0.995))
                    .isEqualTo(1.5);
            assertThat(found.values()).allSatisfy(each -> {
                assertThat(each.samples()).isEqualTo(1_000);
                assertThat(each.current()).isEqualTo(Duration.ofMillis(1_500));
                assertThat(each.issue()).isNull();
            });
            assertThat(found.values())
                    .extracting(Recommendation::decision)
                    .containsExactly(Decision.KEEP, Decision.RAISE, Decision.KEEP);
            assertThat(found.values())
                    .extracting(Recommendation::endpoint)
                    .containsOnly(how[0].startsWith("--by") ? "weather" : "GET /reports/{id}");
        }
    }

    @Test
    void aFetchOfThreeCallsDropsThreeTimesAsOften() throws IOException {
        fast("normal", 9_974);
        for (int i = 0; i < 26; i++) {
            call("normal", 200, 3_500);
        }
        Recommendation found = only(recommend("--by=source", "--source=weather", "--fan-out=3"));
        assertThat(found.more().get("target")).isEqualTo(Math.cbrt(0.99));
        assertThat(found.recommended()).isEqualTo(Duration.ofMillis(1_500));
        assertThat(fanOut(found, "call_drop_rate")).isEqualTo(0.0026, Offset.offset(1e-9));
        assertThat(fanOut(found, "fetch_drop_rate")).isEqualTo(0.0078, Offset.offset(1e-4));
        assertThat(run("--by=source", "--source=weather", "--fan-out=3").out())
                .contains("dropped: 0.26 % of calls, 0.78 % of fetches of 3 calls");
    }

    private static double fanOut(Recommendation found, String key) {
        return found.more().get("fan_out") instanceof Map<?, ?> map && map.get(key) instanceof Number number
                ? number.doubleValue()
                : Double.NaN;
    }

    @Test
    void anEndpointsDeadlineIsItsSlowestSuccessWithHeadroom() throws IOException {
        fast("normal", 500);
        call("normal", 200, 24_900);
        Recommendation found = only(recommend());
        assertThat(found.recommended()).isEqualTo(Duration.ofMillis(29_900));
        assertThat(found.p95()).isLessThan(Duration.ofMillis(1_401));
        assertThat(only(recommend("--headroom=1")).recommended()).isEqualTo(Duration.ofMillis(24_900));
        assertThat(only(recommend("--cap=10s")).recommended()).isEqualTo(Duration.ofSeconds(10));
        assertThat(only(recommend("--target=0.99")).recommended()).isLessThan(Duration.ofMillis(1_500));
        assertThat(only(recommend("--target=1")).recommended()).isEqualTo(Duration.ofMillis(24_900));
    }

    @Test
    @DisplayName("case A10: too few samples give no number, but how many are missing")
    void tooFew() throws IOException {
        fast("normal", 60);
        fast("spike_00", 99);
        Map<String, Recommendation> found = recommend("--floor=1.5s");
        assertThat(found.values()).allSatisfy(each -> {
            assertThat(each.recommended()).isNull();
            assertThat(each.estimatedSuccessRate()).isNull();
            assertThat(each.issue()).isEqualTo(Issue.INSUFFICIENT_SAMPLES);
            assertThat(each.decision()).isEqualTo(Decision.KEEP);
        });
        assertThat(found.values())
                .extracting(each -> each.more().get("missing_samples"))
                .containsExactly(40, 1);
        Ran ran = run();
        assertThat(ran.code()).isEqualTo(Tune.NO_RECOMMENDATION);
        assertThat(ran.out()).contains("too few: 40 samples are missing");
        assertThat(run("--min-samples=99").code()).isEqualTo(Tune.DONE);
    }

    @Test
    @DisplayName("case A10: paths that nothing names are counted and no rows; upgrades are left out")
    void unmatched() throws IOException {
        fast("normal", 200);
        for (int i = 0; i < 5_000; i++) {
            log.add(TEN, "GET /assets/" + i, 200, 3);
        }
        log.add(TEN, "GET /reports/1", 101, 60_000);
        assertThat(recommend()).hasSize(1);
        assertThat(run().err()).contains("5000 calls of no endpoint", "1 call that became something else");
        assertThat(run("--template=GET /assets/{name}").out()).contains("GET /reports/{id} ", "GET /assets/{name} ");
    }

    @Test
    void runsTellHowStableItIs() throws IOException {
        for (int day = 0; day < 4; day++) {
            for (int i = 0; i < 200; i++) {
                log.add(
                        TEN.plus(Duration.ofDays(day)).plusSeconds(600 + i),
                        "GET /reports/1",
                        200,
                        day == 3 && i < 8 ? 1_900 : 400);
            }
        }
        log.add(TEN.plus(Duration.ofDays(9)), "GET /reports/1", 200, 400);
        assertThat(only(recommend("--floor=1.5s", "--run-by=day")).stability())
                .isEqualTo(new Stability(4, 3, 0.96, 1.0));
        assertThat(only(recommend("--floor=1.5s")).stability())
                .isEqualTo(new Stability(1, 1, 1 - 8 / 801.0, 1 - 8 / 801.0));
        assertThat(only(recommend("--floor=1.5s", "--run-by=field:4"))
                        .stability()
                        .runs())
                .isZero();
        assertThat(run("--run-by=week").code()).isEqualTo(Tune.USAGE);
    }

    @Test
    void whereNothingIsCountedThereIsARemedy() throws IOException {
        log.add(TEN, "GET /other", 200, 10);
        Ran ran = run();
        assertThat(ran.code()).isEqualTo(Tune.NO_RECOMMENDATION);
        assertThat(ran.err()).contains("1 call of no endpoint or source", "--template");
    }

    @Test
    void linesWithoutAHostAreNoSourcesUnlessTheyAreOnes() throws IOException {
        String line = "[30/Nov/2026:10:00:05 +0000] \"GET /forecast HTTP/1.1\" 200 0.250";
        Path without = Files.writeString(directory.resolve("without.log"), (line + "\n").repeat(200));
        Path with = Files.writeString(directory.resolve("with.log"), (line + " b.example.com\n").repeat(200));
        String pattern = "[$time_local] \"$request\" $status $request_time";
        for (String by : List.of("source", "host")) {
            Ran ran = Ran.of(
                    "recommend", "--by=" + by, "--source=a=a.example.com", "--pattern=" + pattern, without.toString());
            assertThat(ran.code()).isEqualTo(Tune.NO_RECOMMENDATION);
            assertThat(ran.err())
                    .contains("the pattern has no host column, and --by " + by + " goes by the host")
                    .contains("$proxy_host or $host", "--source NAME");
        }
        fast("normal", 100);
        assertThat(run("--by=host").err()).contains("no host column", "%v or %{Host}i");
        Ran other = Ran.of(
                "recommend",
                "--by=source",
                "--source=a=a.example.com",
                "--pattern=" + pattern + " $proxy_host",
                with.toString());
        assertThat(other.code()).isEqualTo(Tune.NO_RECOMMENDATION);
        assertThat(other.err()).doesNotContain("no host column").contains("--source NAME", "NAME=HOST");
    }

    @Test
    void whatIsAskedWronglyIsUsage() throws IOException {
        fast("normal", 100);
        for (String wrong : List.of(
                "--format=combined",
                "--cap=1s",
                "--fan-out=0",
                "--since=soon",
                "--step=1.5",
                "--window=x",
                "--template=reports")) {
            Ran ran = run("--floor=2s", wrong);
            assertThat(ran.code()).as(wrong).isEqualTo(Tune.USAGE);
            assertThat(ran.err()).as(wrong).isNotEmpty().doesNotContain("\tat ", "Exception");
        }
        Ran refused = Ran.of(
                "recommend",
                "--format=tomcat",
                "--policy=" + directory,
                directory.resolve("access.log").toString());
        assertThat(refused.code()).isEqualTo(Tune.UNREADABLE);
        assertThat(refused.err()).contains(directory.toString());
    }
}
