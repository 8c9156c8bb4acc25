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
import org.junit.jupiter.api.io.TempDir;

/** A log that is written call by call, and what is recommended for it. */
abstract class RecommendedLog {

    static final Instant TEN = Instant.parse("2026-11-02T10:00:00Z");
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
    final Map<String, List<Long>> samples = new TreeMap<>();

    final LogFile log = new LogFile();

    void call(String window, int status, long millis) {
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

    void fast(String window, int count) {
        for (int i = 0; i < count; i++) {
            call(window, 200, 100 + random.nextInt(1_300));
        }
    }

    Ran run(String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of("recommend", "--format=tomcat"));
        args.add("--policy=" + Files.writeString(directory.resolve("hangup.yaml"), POLICY));
        args.add(log.shuffled(3).write(directory.resolve("access.log")).toString());
        args.addAll(Arrays.asList(more));
        return Ran.of(args.toArray(String[]::new));
    }

    Map<String, Recommendation> recommend(String... more) throws IOException {
        List<String> args = new ArrayList<>(Arrays.asList(more));
        args.add("--json");
        Ran ran = run(args.toArray(String[]::new));
        Path json = Files.writeString(directory.resolve("recommend.json"), ran.out());
        Map<String, Recommendation> byWindow = new TreeMap<>();
        RecommendationJson.read(json).forEach(each -> byWindow.put(each.window(), each));
        return byWindow;
    }

    static Recommendation only(Map<String, Recommendation> found) {
        assertThat(found).hasSize(1);
        return found.values().iterator().next();
    }
}
