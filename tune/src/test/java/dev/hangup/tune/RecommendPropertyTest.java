package dev.hangup.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds whatever was logged; each repetition has its seed. */
class RecommendPropertyTest {

    private static final int CASES = 200;

    @TempDir
    Path directory;

    private static long draw(Random random) {
        return (long) (-Math.log(1 - random.nextDouble()) * (100 + random.nextInt(1_500)));
    }

    private record Counts(Histogram successes, Histogram departures) {

        static Counts drawn(Random random) {
            Counts counts = new Counts(new Histogram(), new Histogram());
            int size = 1 + random.nextInt(600);
            for (int i = 0; i < size; i++) {
                counts.successes.add(draw(random));
            }
            for (int i = random.nextInt(60); i > 0; i--) {
                counts.departures.add(draw(random));
            }
            return counts;
        }

        Survival survival() {
            return new Survival(successes, departures);
        }
    }

    @Test
    void moreSamplesBelowACandidateNeverRaiseIt() {
        Random random = new Random(17);
        for (int i = 0; i < CASES; i++) {
            Counts counts = Counts.drawn(random);
            Search search = new Search(500L + random.nextInt(1_500), 3_000L, 1L + random.nextInt(200), 1.2);
            double target = 0.8 + random.nextDouble() / 5;
            long before = search.find(counts.survival(), target);
            for (int more = random.nextInt(200); more >= 0; more--) {
                counts.successes.add((long) (random.nextDouble() * before));
            }
            assertThat(search.find(counts.survival(), target)).as("case %s", i).isLessThanOrEqualTo(before);
        }
    }

    @Test
    void theResultIsNeverOutsideFloorAndCap() {
        Random random = new Random(18);
        for (int i = 0; i < CASES; i++) {
            long floor = 1L + random.nextInt(2_000);
            long cap = floor + random.nextInt(2_000);
            Search search = new Search(
                    random.nextBoolean() ? floor : null, cap, 1L + random.nextInt(700), 1 + random.nextDouble());
            long found = search.find(Counts.drawn(random).survival(), random.nextDouble());
            assertThat(found).as("case %s", i).isLessThanOrEqualTo(cap);
            if (search.floor() != null) {
                assertThat(found).as("case %s", i).isGreaterThanOrEqualTo(floor);
            }
        }
    }

    @Test
    void withoutDeparturesItIsTheFirstStepThatHoldsEnough() {
        Random random = new Random(19);
        for (int i = 0; i < CASES; i++) {
            List<Long> samples = new ArrayList<>();
            Histogram successes = new Histogram();
            for (int size = 1 + random.nextInt(500); size > 0; size--) {
                samples.add(draw(random));
                successes.add(samples.get(samples.size() - 1));
            }
            double target = random.nextInt(1_001) / 1e3;
            long found = new Search(300L, 3_000L, 100, 1.2).find(new Survival(successes, new Histogram()), target);
            long expected = 300;
            while (expected < 3_000 && count(samples, expected) < target * samples.size() - 1e-6) {
                expected += 100;
            }
            assertThat(found).as("case %s", i).isEqualTo(expected);
        }
    }

    private static long count(List<Long> samples, long value) {
        return samples.stream().filter(millis -> millis <= value).count();
    }

    @RepeatedTest(5)
    void orderAndSplitOfTheFilesNeverMatter(RepetitionInfo repetition) throws IOException {
        Random random = new Random(repetition.getCurrentRepetition());
        LogFile whole = new LogFile();
        for (int i = 0; i < 600; i++) {
            int status = random.nextInt(20) == 0 ? 499 : random.nextInt(20) == 0 ? 503 : 200;
            whole.add(
                    Instant.parse("2026-11-02T10:00:00Z").plusSeconds(random.nextInt(20_000)),
                    (random.nextInt(3) == 0 ? "GET /b/" : "GET /a/") + i,
                    status,
                    draw(random));
        }
        Ran one = run(List.of(whole.write(directory.resolve("whole.log"))));
        List<Path> parts = new ArrayList<>();
        whole.shuffled(repetition.getCurrentRepetition());
        for (int from = 0; from < 600; ) {
            LogFile part = new LogFile();
            int to = Math.min(600, from + 1 + random.nextInt(300));
            part.lines().addAll(whole.lines().subList(from, to));
            parts.add(part.write(directory.resolve("part" + parts.size() + ".log")));
            from = to;
        }
        Collections.shuffle(parts, random);
        assertThat(one.code()).isZero();
        assertThat(run(parts)).isEqualTo(one);
    }

    private static Ran run(List<Path> files) {
        List<String> args = new ArrayList<>(List.of(
                "recommend",
                "--json",
                "--format=tomcat",
                "--template=GET /a/{id}",
                "--template=GET /b/{id}",
                "--target=0.95",
                "--window=late={ minutes: 30-59 }",
                "--run-by=hour",
                "--min-samples=20"));
        files.forEach(file -> args.add(file.toString()));
        return Ran.of(args.toArray(String[]::new));
    }
}
