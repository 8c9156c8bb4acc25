package dev.hangup.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecommendTest {

    private static final Instant TEN = Instant.parse("2026-11-02T10:00:00Z");
    private static final String POLICY = """
            windows:
              spike_00: { minutes: 0-7 }
              spike_30: { minutes: 30-37 }
            deadlines:
              endpoints:
                "GET /reports/{id}": { normal: 1.5s }
            sources:
              weather: { host: weather.example.com, normal: 1.5s }
            """;

    @TempDir
    Path directory;

    private final Random random = new Random(7);
    /** What the oracle reasons on: milliseconds of all that is no error, by window. */
    private final Map<String, List<Long>> samples = new TreeMap<>();

    private LogFile log = new LogFile();

    private void call(String window, int status, long millis) {
        int minute =
                switch (window) {
                    case "spike_00" -> 1 + random.nextInt(6);
                    case "spike_30" -> 31 + random.nextInt(6);
                    default -> 10 + random.nextInt(18);
                };
        Instant start = TEN.plus(Duration.ofHours(random.nextInt(48)))
                .plus(Duration.ofMinutes(minute))
                .plusMillis(random.nextInt(60_000));
        log.add(start, "GET /reports/" + random.nextInt(100_000) + "?day=1", status, millis);
        if (status < 500) {
            samples.computeIfAbsent(window, key -> new ArrayList<>()).add(millis);
        }
    }

    private void fast(String window, int count) {
        for (int i = 0; i < count; i++) {
            call(window, 200, 100 + random.nextInt(1_300));
        }
    }

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

    private Ran run(String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of("recommend", "--format=tomcat"));
        args.add("--policy=" + Files.writeString(directory.resolve("hangup.yaml"), POLICY));
        args.add(log.shuffled(3).write(directory.resolve("access.log")).toString());
        args.addAll(Arrays.asList(more));
        return Ran.of(args.toArray(String[]::new));
    }

    private Map<String, Recommendation> recommend(String... more) throws IOException {
        List<String> args = new ArrayList<>(Arrays.asList(more));
        args.add("--json");
        Ran ran = run(args.toArray(String[]::new));
        Path json = Files.writeString(directory.resolve("recommend.json"), ran.out());
        Map<String, Recommendation> byWindow = new TreeMap<>();
        RecommendationJson.read(json).forEach(each -> byWindow.put(each.window(), each));
        return byWindow;
    }

    private static double seconds(Map<String, Recommendation> found, String window) {
        Recommendation recommendation = found.get(window);
        assertThat(recommendation).as(window).isNotNull();
        Double seconds = recommendation == null ? null : Json.seconds(recommendation.recommended());
        return seconds == null ? Double.NaN : seconds;
    }

    private static Recommendation only(Map<String, Recommendation> found) {
        assertThat(found).hasSize(1);
        return found.values().iterator().next();
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
        assertThat(run("--by=source").err()).contains("--source NAME");
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
