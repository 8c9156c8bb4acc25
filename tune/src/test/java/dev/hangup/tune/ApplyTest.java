package dev.hangup.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.tune.apply.SafeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ApplyTest {

    private static final String POLICY = """
            # ours
            windows:
              spike_00: { minutes: 0-7 }
            sources:
              weather_a: { host: a.example.com, normal: 3s, spike_00: 1.5s }
            """;

    @TempDir
    Path directory;

    private Path policy;
    private Path from;
    private String out = "";
    private String err = "";

    @BeforeEach
    void files() throws IOException {
        policy = Files.writeString(directory.resolve("hangup.yaml"), POLICY);
        from = directory.resolve("recommend.json");
        recommend(row("normal", 2.0, 0.999, 9, 0.99), row("spike_00", 2.9, 0.996, 0, 0.995));
    }

    private void recommend(Recommendation... rows) throws IOException {
        Files.writeString(from, RecommendationJson.write(List.of(rows)));
    }

    private static Recommendation row(String window, double value, double rate, int runs, double target) {
        return new Recommendation(
                "weather_a",
                window,
                1_000,
                null,
                null,
                null,
                Duration.ofMillis(Math.round(value * 1_000)),
                rate,
                null,
                null,
                new Stability(runs, runs, null, null),
                new Tail(0, 0, 0),
                Map.of("target", target));
    }

    private int apply(String... more) {
        String[] args = Stream.concat(
                        Stream.of("apply", "--policy", policy.toString(), "--from", from.toString()), Stream.of(more))
                .toArray(String[]::new);
        Ran ran = Ran.of(args);
        out = ran.out();
        err = ran.err();
        return ran.code();
    }

    @Test
    void withoutBeingToldToItWritesNothing() throws IOException {
        assertThat(apply()).isZero();
        assertThat(out)
                .contains("-  weather_a: { host: a.example.com, normal: 3s, spike_00: 1.5s }\n")
                .contains("+  weather_a: { host: a.example.com, normal: 2s, spike_00: 2.9s }\n")
                .contains("lower weather_a, normal: 3s to 2s; 99.90 % of 99.00 % asked for, met in 9 of 9 runs")
                .contains("nothing is written without --write");
        assertThat(Files.readString(policy)).isEqualTo(POLICY);
    }

    @Test
    void writtenItKeepsModeAndLink() throws IOException {
        Files.setPosixFilePermissions(policy, PosixFilePermissions.fromString("rw-r-x--x"));
        Path data = Files.createDirectory(directory.resolve("..data"));
        Path target = Files.move(policy, data.resolve("hangup.yaml"));
        Files.createSymbolicLink(policy, Path.of("..data/hangup.yaml"));
        assertThat(apply("--write")).isZero();
        assertThat(Files.isSymbolicLink(policy)).isTrue();
        assertThat(Files.readString(target))
                .isEqualTo(POLICY.replace("3s", "2s").replace("1.5s", "2.9s"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
                .isEqualTo("rw-r-x--x");
        try (Stream<Path> left = Files.list(data)) {
            assertThat(left).containsExactly(target);
        }
    }

    @Test
    void theHistoryHasALineForEachDecision() throws IOException {
        recommend(row("normal", 2.0, 0.9915, 9, 0.99), row("spike_00", 2.9, 0.996, 0, 0.995));
        Path history = directory.resolve("history.jsonl");
        assertThat(apply("--history", history.toString())).isZero();
        assertThat(apply("--history", history.toString(), "--write")).isZero();
        assertThat(Files.readAllLines(history)).hasSize(4);
        String last = Files.readAllLines(history).get(3);
        assertThat(last)
                .contains("\"from\":1.5,\"to\":2.9,\"decision\":\"raise\"")
                .contains("\"written\":true")
                .contains("\"estimated_success_rate\":0.996");
        assertThat(Files.readAllLines(history).get(2))
                .contains("\"from\":3.0,\"to\":3.0,\"decision\":\"keep\"")
                .contains("2s would be lower: 99.15 % does not exceed 99.00 % by the margin of 0.002");
        assertThat(apply("--json", "--margin", "0.001")).isZero();
        assertThat(out).contains("\"decision\" : \"lower\"", "\"written\" : false");
    }

    @Test
    void nothingToChangeIsDoneAndLeavesTheFileAlone() throws IOException {
        recommend(row("normal", 3.0, 0.999, 9, 0.99));
        Object before = Files.getAttribute(policy, "unix:ino");
        assertThat(apply("--write")).isZero();
        assertThat(out).contains("nothing to change");
        assertThat(Files.getAttribute(policy, "unix:ino")).isEqualTo(before);
    }

    @Test
    void whatIsWrongIsAnExitCodeAndALine() throws IOException {
        Files.writeString(policy, POLICY.replace("# ours", "mode: &a observe"));
        assertThat(apply()).isEqualTo(Tune.UNREADABLE);
        assertThat(err).contains("hangup.yaml, line 1", "anchor");
        policy = directory.resolve("nowhere.yaml");
        assertThat(apply()).isEqualTo(Tune.UNREADABLE);
        assertThat(err).contains("no such file").doesNotContain("\tat ");
        policy = directory;
        assertThat(apply()).isEqualTo(Tune.UNREADABLE);
        assertThat(err).contains("is a directory").doesNotContain("Exception");
        assertThat(apply("some.log")).isEqualTo(Tune.USAGE);
        policy = Files.writeString(directory.resolve("hangup.yaml"), POLICY);
        recommend();
        assertThat(apply()).isEqualTo(Tune.NO_RECOMMENDATION);
    }

    @Test
    void aDirectoryThatMayNotBeWrittenIsNamed() throws IOException {
        Path closed = Files.createDirectory(directory.resolve("closed"));
        policy = Files.move(policy, closed.resolve("hangup.yaml"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            Assumptions.assumeFalse(Files.isWritable(closed), "runs as one who may write everywhere");
            assertThat(apply("--write")).isEqualTo(Tune.UNREADABLE);
            assertThat(err).contains("hangup.yaml was not replaced", "its directory must be writable");
            assertThat(Files.readString(policy)).isEqualTo(POLICY);
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void aFileThatHasChangedMeanwhileIsLeftAlone() throws IOException {
        SafeFile read = SafeFile.read(policy);
        String theirs = POLICY + "# theirs\n";
        Files.writeString(policy, theirs);
        Assertions.assertThatThrownBy(() -> read.replace(new byte[0], path -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has changed since it was read");
        assertThat(Files.readString(policy)).isEqualTo(theirs);
        SafeFile again = SafeFile.read(policy);
        Assertions.assertThatThrownBy(() -> again.replace(new byte[0], path -> {
                    throw new IllegalArgumentException("no policy");
                }))
                .hasMessage("no policy");
        assertThat(Files.readString(policy)).isEqualTo(theirs);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactlyInAnyOrder(policy, from);
        }
    }
}
