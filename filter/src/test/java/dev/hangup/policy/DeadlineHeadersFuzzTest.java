package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.policy.DeadlineHeader.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever a caller sends, a parser answers with a span above zero and of at most a year, or with none; it throws nothing. Inputs are
 * made of pieces that parsers care for, cut, doubled and mixed with any character; a failure names the seed and the input.
 */
final class DeadlineHeadersFuzzTest {

    private static final int SUITE = 20_000;
    private static final int SOAK = 1_000_000;
    private static final Duration YEAR = Duration.ofDays(365);
    private static final String[] PIECES = {
        "0",
        "1",
        "9",
        "10",
        "50",
        "1500",
        "99999999",
        "9223372036854775807",
        "9223372036854775808",
        "-",
        "+",
        ".",
        "e",
        " ",
        "\t",
        ",",
        ";",
        "=",
        "\"",
        "\\",
        "H",
        "M",
        "S",
        "m",
        "u",
        "n",
        "wait",
        "wait=",
        "Wait=10",
        "respond-async",
        "foo=bar",
        "t=",
        "1700000000",
        "1700000000000",
        "1700000000000000",
        ".123",
        "\u0000",
        "\u0661",
        "\uffff",
        "\ud800"
    };

    @ParameterizedTest
    @ValueSource(strings = {"x-request-timeout-ms", "x-envoy-expected-rq-timeout-ms", "grpc-timeout", "prefer-wait"})
    void anyInputIsReadAsASpanOrAsNone(String header) {
        fuzz(header, SUITE, new Random().nextLong());
    }

    @Tag("soak")
    @ParameterizedTest
    @ValueSource(strings = {"x-request-timeout-ms", "x-envoy-expected-rq-timeout-ms", "grpc-timeout", "prefer-wait"})
    void aMillionInputsAreReadAsASpanOrAsNone(String header) {
        fuzz(header, SOAK, 7L);
    }

    @ParameterizedTest
    @ValueSource(ints = SUITE)
    void anyStartIsReadAsAWaitOrAsNone(int inputs) {
        starts(inputs, new Random().nextLong());
    }

    @Tag("soak")
    @ParameterizedTest
    @ValueSource(ints = SOAK)
    void aMillionStartsAreReadAsAWaitOrAsNone(int inputs) {
        starts(inputs, 7L);
    }

    private static void fuzz(String name, int inputs, long seed) {
        DeadlineHeader header = DeadlineHeaders.named(name);
        Random random = new Random(seed);
        int spans = 0;
        for (int i = 0; i < inputs; i++) {
            List<String> lines = lines(random);
            try {
                Reading reading =
                        header.read(lines); // not through DeadlineHeaders.read, which would forgive an exception
                Duration span = reading.span();
                if (span != null) {
                    spans++;
                    assertThat(span).isPositive().isLessThanOrEqualTo(YEAR);
                    assertThat(header.read(List.of(header.format(span))).span()).isNotNull();
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(name + ", seed " + seed + ", input " + i + ": " + lines, e);
            }
        }
        assertThat(spans).as("a generator that never hits proves nothing").isGreaterThan(inputs / 1_000);
    }

    private static void starts(int inputs, long seed) {
        Random random = new Random(seed);
        int waits = 0;
        for (int i = 0; i < inputs; i++) {
            List<String> lines = random.nextInt(4) > 0
                    ? lines(random)
                    : List.of("t=" + (1_700_000_000_000L + random.nextInt(1_000_000) - 500_000));
            try {
                Duration waited = RequestStart.waited(lines, 1_700_000_000_000L + random.nextInt(3));
                if (waited != null) {
                    waits++;
                    assertThat(waited).isBetween(Duration.ZERO, RequestStart.LONGEST_WAIT);
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ", input " + i + ": " + lines, e);
            }
        }
        assertThat(waits).isGreaterThan(inputs / 1_000);
    }

    private static List<String> lines(Random random) {
        List<String> lines = new ArrayList<>();
        int count = random.nextInt(10) == 0 ? 1 + random.nextInt(3) : 1;
        for (int i = 0; i < count; i++) {
            StringBuilder line = new StringBuilder();
            int pieces = random.nextInt(random.nextInt(4) == 0 ? 30 : 4);
            for (int p = 0; p < pieces; p++) {
                if (random.nextInt(20) == 0) {
                    line.append((char) random.nextInt(0x10000));
                } else {
                    line.append(PIECES[random.nextInt(PIECES.length)]);
                }
            }
            lines.add(line.toString());
        }
        return lines;
    }
}
