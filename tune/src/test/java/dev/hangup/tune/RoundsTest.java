package dev.hangup.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recommended and applied round after round, where each round's log is what a server leaves that cancels at the value in force. */
class RoundsTest {

    private static final Instant TEN = Instant.parse("2026-11-02T10:00:00Z");
    private static final int CALLS = 4_000;

    @TempDir
    Path directory;

    private Path policy() {
        return directory.resolve("hangup.yaml");
    }

    private void inForce(String value) throws IOException {
        Files.writeString(
                policy(),
                "deadlines: { endpoints: { \"GET /reports/{id}\": { mode: cancel, normal: " + value + " } } }\n");
    }

    /** Seconds. */
    private double inForce() throws IOException {
        String text = Files.readString(policy());
        return Double.parseDouble(text.replaceAll("(?s).*normal: ([0-9.]+)s.*", "$1"));
    }

    /** Killed a moment after the value in force, as what finishes just then is answered a moment after it. */
    private Path log(Random random, ToLongFunction<Random> duration, long patience) throws IOException {
        long current = Math.round(inForce() * 1_000);
        LogFile log = new LogFile();
        for (int i = 0; i < CALLS; i++) {
            long wanted = duration.applyAsLong(random);
            int status = wanted > patience && patience < current ? 499 : wanted > current ? 504 : 200;
            long taken =
                    Math.min(wanted, Math.min(patience, current)) + (wanted > current - 20 ? random.nextInt(80) : 0);
            log.add(TEN.plusSeconds(i * 90L), "GET /reports/" + i, status, taken);
        }
        return log.write(directory.resolve("access.log"));
    }

    private List<Double> rounds(int count, long seed, ToLongFunction<Random> duration, long patience, String... how)
            throws IOException {
        Random random = new Random(seed);
        List<Double> values = new ArrayList<>(List.of(inForce()));
        for (int round = 0; round < count; round++) {
            List<String> args = new ArrayList<>(List.of(
                    "apply",
                    "--write",
                    "--run-by=day",
                    "--format=tomcat",
                    "--policy=" + policy(),
                    log(random, duration, patience).toString()));
            args.addAll(List.of(how));
            Ran ran = Ran.of(args.toArray(String[]::new));
            assertThat(ran.code()).as(ran.err()).isZero();
            values.add(inForce());
        }
        return values;
    }

    /** Half of them by the median; the larger the exponent, the shorter the tail. */
    private static ToLongFunction<Random> pareto(double leastMillis, double exponent) {
        return random -> Math.round(leastMillis / Math.pow(1 - random.nextDouble(), 1 / exponent));
    }

    @Test
    void whatMeetsItsTargetIsNotRaisedByItsOwnCut() throws IOException {
        for (long seed = 1; seed <= 3; seed++) {
            inForce("30s");
            // 0.4 % take longer than 30 s, however long one waits some take longer still.
            assertThat(rounds(6, seed, pareto(1_200, 1.7), Long.MAX_VALUE))
                    .as("seed %s", seed)
                    .allSatisfy(value -> assertThat(value).isLessThanOrEqualTo(30));
        }
    }

    @Test
    void whatMissesItsTargetIsRaisedUntilItMeetsIt() throws IOException {
        for (long seed = 1; seed <= 3; seed++) {
            inForce("10s");
            // 99 % take 18 s at most.
            List<Double> values = rounds(9, seed, pareto(1_200, 1.7), Long.MAX_VALUE);
            assertThat(values.get(1)).as("%s", values).isGreaterThan(10);
            assertThat(values.get(9)).as("%s", values).isBetween(16.0, 30.0).isEqualTo(values.get(8));
        }
    }

    @Test
    void impatientCallersRaiseNothingBeyondWhatIsKnown() throws IOException {
        inForce("10s");
        List<Double> values = rounds(6, 4, pareto(900, 1.2), 5_000);
        assertThat(values).as("%s", values).allSatisfy(value -> assertThat(value)
                .isEqualTo(10));
    }

    @Test
    void aSearchDoesNotFollowWhatIsAnsweredAMomentAfterTheValueInForce() throws IOException {
        inForce("10s");
        List<Double> values = rounds(6, 5, pareto(1_200, 1.7), Long.MAX_VALUE, "--target=0.99");
        assertThat(values).as("%s", values).allSatisfy(value -> assertThat(value)
                .isEqualTo(10));
        values = rounds(4, 5, pareto(1_200, 1.7), Long.MAX_VALUE, "--target=0.99", "--cap=20s");
        assertThat(values.get(1)).as("%s", values).isEqualTo(20);
        assertThat(values).as("%s", values).allSatisfy(value -> assertThat(value)
                .isLessThanOrEqualTo(20));
    }
}
