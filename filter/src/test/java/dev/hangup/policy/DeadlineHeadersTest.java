package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hangup.policy.DeadlineHeader.Reading;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each way to declare a deadline is read as. */
final class DeadlineHeadersTest {

    /** A header, its lines with {@code ||} between them, and what is read: a span, {@code silent} or {@code rejected}. */
    static Stream<String> values() {
        return Arrays.stream("""
                x-request-timeout-ms | 1 => 1ms
                x-request-timeout-ms | 50 => 50ms
                x-request-timeout-ms | 100 => 100ms
                x-request-timeout-ms | 1500 => 1500ms
                x-request-timeout-ms | 15000 => 15s
                x-request-timeout-ms | 60000 => 1m
                x-request-timeout-ms | 007 => 7ms
                x-request-timeout-ms |  250  => 250ms
                x-request-timeout-ms | \t250 => 250ms
                x-request-timeout-ms | 31536000000 => 525600m
                x-request-timeout-ms | 31536000001 => 525600m
                x-request-timeout-ms | 9223372036854 => 525600m
                x-request-timeout-ms | 9223372036855 => rejected
                x-request-timeout-ms | 9223372036854775807 => rejected
                x-request-timeout-ms | 9223372036854775808 => rejected
                x-request-timeout-ms | 99999999999999999999999 => rejected
                x-request-timeout-ms | 0 => rejected
                x-request-timeout-ms | -0 => rejected
                x-request-timeout-ms | 000 => rejected
                x-request-timeout-ms | -1 => rejected
                x-request-timeout-ms | -1500 => rejected
                x-request-timeout-ms | +1500 => rejected
                x-request-timeout-ms | 1.5 => rejected
                x-request-timeout-ms | 1e3 => rejected
                x-request-timeout-ms | 0x10 => rejected
                x-request-timeout-ms |  => rejected
                x-request-timeout-ms |   => rejected
                x-request-timeout-ms | 1 500 => rejected
                x-request-timeout-ms | 1,500 => rejected
                x-request-timeout-ms | 100, 200 => rejected
                x-request-timeout-ms | 100, => rejected
                x-request-timeout-ms | 100;200 => rejected
                x-request-timeout-ms | 100ms => rejected
                x-request-timeout-ms | 100 ms => rejected
                x-request-timeout-ms | NaN => rejected
                x-request-timeout-ms | Infinity => rejected
                x-request-timeout-ms | null => rejected
                x-request-timeout-ms | \u0661\u0662 => rejected
                x-request-timeout-ms | \uff11 => rejected
                x-request-timeout-ms | 1\u0000 => rejected
                x-request-timeout-ms | "100" => rejected
                x-request-timeout-ms | 100 || 200 => rejected
                x-request-timeout-ms | 100 || 100 => rejected
                x-request-timeout-ms | 100 || => rejected
                x-envoy-expected-rq-timeout-ms | 1 => 1ms
                x-envoy-expected-rq-timeout-ms | 50 => 50ms
                x-envoy-expected-rq-timeout-ms | 100 => 100ms
                x-envoy-expected-rq-timeout-ms | 1500 => 1500ms
                x-envoy-expected-rq-timeout-ms | 15000 => 15s
                x-envoy-expected-rq-timeout-ms | 60000 => 1m
                x-envoy-expected-rq-timeout-ms | 007 => 7ms
                x-envoy-expected-rq-timeout-ms |  250  => 250ms
                x-envoy-expected-rq-timeout-ms | \t250 => 250ms
                x-envoy-expected-rq-timeout-ms | 31536000000 => 525600m
                x-envoy-expected-rq-timeout-ms | 31536000001 => 525600m
                x-envoy-expected-rq-timeout-ms | 9223372036854 => 525600m
                x-envoy-expected-rq-timeout-ms | 9223372036855 => rejected
                x-envoy-expected-rq-timeout-ms | 9223372036854775807 => rejected
                x-envoy-expected-rq-timeout-ms | 9223372036854775808 => rejected
                x-envoy-expected-rq-timeout-ms | 99999999999999999999999 => rejected
                x-envoy-expected-rq-timeout-ms | 0 => rejected
                x-envoy-expected-rq-timeout-ms | -0 => rejected
                x-envoy-expected-rq-timeout-ms | 000 => rejected
                x-envoy-expected-rq-timeout-ms | -1 => rejected
                x-envoy-expected-rq-timeout-ms | -1500 => rejected
                x-envoy-expected-rq-timeout-ms | +1500 => rejected
                x-envoy-expected-rq-timeout-ms | 1.5 => rejected
                x-envoy-expected-rq-timeout-ms | 1e3 => rejected
                x-envoy-expected-rq-timeout-ms | 0x10 => rejected
                x-envoy-expected-rq-timeout-ms |  => rejected
                x-envoy-expected-rq-timeout-ms |   => rejected
                x-envoy-expected-rq-timeout-ms | 1 500 => rejected
                x-envoy-expected-rq-timeout-ms | 1,500 => rejected
                x-envoy-expected-rq-timeout-ms | 100, 200 => rejected
                x-envoy-expected-rq-timeout-ms | 100, => rejected
                x-envoy-expected-rq-timeout-ms | 100;200 => rejected
                x-envoy-expected-rq-timeout-ms | 100ms => rejected
                x-envoy-expected-rq-timeout-ms | 100 ms => rejected
                x-envoy-expected-rq-timeout-ms | NaN => rejected
                x-envoy-expected-rq-timeout-ms | Infinity => rejected
                x-envoy-expected-rq-timeout-ms | null => rejected
                x-envoy-expected-rq-timeout-ms | \u0661\u0662 => rejected
                x-envoy-expected-rq-timeout-ms | \uff11 => rejected
                x-envoy-expected-rq-timeout-ms | 1\u0000 => rejected
                x-envoy-expected-rq-timeout-ms | "100" => rejected
                x-envoy-expected-rq-timeout-ms | 100 || 200 => rejected
                x-envoy-expected-rq-timeout-ms | 100 || 100 => rejected
                x-envoy-expected-rq-timeout-ms | 100 || => rejected
                grpc-timeout | 1H => 60m
                grpc-timeout | 1M => 1m
                grpc-timeout | 1S => 1s
                grpc-timeout | 1m => 1ms
                grpc-timeout | 1000u => 1ms
                grpc-timeout | 1u => 0.001ms
                grpc-timeout | 1n => 0.000001ms
                grpc-timeout | 1000000n => 1ms
                grpc-timeout | 1500m => 1500ms
                grpc-timeout | 99999999n => 99.999999ms
                grpc-timeout | 99999999u => 99999.999ms
                grpc-timeout | 99999999m => 99999999ms
                grpc-timeout | 99999999S => 525600m
                grpc-timeout | 99999999M => 525600m
                grpc-timeout | 2562047H => 525600m
                grpc-timeout | 2562048H => rejected
                grpc-timeout | 99999999H => rejected
                grpc-timeout | 00000001S => 1s
                grpc-timeout | 8760H => 525600m
                grpc-timeout | 8761H => 525600m
                grpc-timeout |  5S  => 5s
                grpc-timeout | 100000000n => rejected
                grpc-timeout | 123456789S => rejected
                grpc-timeout | 000000001S => rejected
                grpc-timeout | 0S => rejected
                grpc-timeout | 0n => rejected
                grpc-timeout | 00000000H => rejected
                grpc-timeout | -1S => rejected
                grpc-timeout | +1S => rejected
                grpc-timeout | 1 => rejected
                grpc-timeout | S => rejected
                grpc-timeout |  => rejected
                grpc-timeout | 1s => rejected
                grpc-timeout | 1h => rejected
                grpc-timeout | 1U => rejected
                grpc-timeout | 1N => rejected
                grpc-timeout | 1ms => rejected
                grpc-timeout | 1 S => rejected
                grpc-timeout | 1.5S => rejected
                grpc-timeout | 1e1S => rejected
                grpc-timeout | S1 => rejected
                grpc-timeout | 1SS => rejected
                grpc-timeout | 1S,2S => rejected
                grpc-timeout | 1S 2S => rejected
                grpc-timeout | \u0661S => rejected
                grpc-timeout | 1\u00b5 => rejected
                grpc-timeout | 1S || 2S => rejected
                grpc-timeout | 1S || 1S => rejected
                grpc-timeout | infinite => rejected
                prefer-wait | wait=10 => 10s
                prefer-wait | wait=1 => 1s
                prefer-wait | Wait=10 => 10s
                prefer-wait | WAIT=10 => 10s
                prefer-wait | wait = 10 => 10s
                prefer-wait | wait="10" => 10s
                prefer-wait | wait="\\10" => 10s
                prefer-wait | respond-async, wait=10 => 10s
                prefer-wait | respond-async,wait=10 => 10s
                prefer-wait | wait=10, respond-async => 10s
                prefer-wait | respond-async; wait=10 => silent
                prefer-wait | respond-async => silent
                prefer-wait | return=minimal => silent
                prefer-wait |  => silent
                prefer-wait |  , , => silent
                prefer-wait | , wait=10,,  => 10s
                prefer-wait | handling=lenient, wait=100, respond-async => 100s
                prefer-wait | wait=10; foo => 10s
                prefer-wait | wait=10;foo=bar; baz="a,b" => 10s
                prefer-wait | foo="wait=5", wait=10 => 10s
                prefer-wait | foo="a\\"b,wait=5", wait=10 => 10s
                prefer-wait | foo; wait=5, wait=10 => 10s
                prefer-wait | wait=10;wait=20 => 10s
                prefer-wait | respond-async || wait=10 => 10s
                prefer-wait | wait=31536000 => 525600m
                prefer-wait | wait=31536001 => 525600m
                prefer-wait | wait=9223372036 => 525600m
                prefer-wait | wait=9223372037 => rejected
                prefer-wait | wait=99999999999999999999 => rejected
                prefer-wait | waiting=10 => silent
                prefer-wait | await=10 => silent
                prefer-wait | x-wait=10 => silent
                prefer-wait | wait => rejected
                prefer-wait | wait= => rejected
                prefer-wait | wait="" => rejected
                prefer-wait | wait=0 => rejected
                prefer-wait | wait=-1 => rejected
                prefer-wait | wait=+1 => rejected
                prefer-wait | wait=1.5 => rejected
                prefer-wait | wait=10s => rejected
                prefer-wait | wait=ten => rejected
                prefer-wait | wait=10, wait=10 => rejected
                prefer-wait | wait=10, wait=20 => rejected
                prefer-wait | wait=10 || wait=5 => rejected
                prefer-wait | wait=10, Wait=5 => rejected
                prefer-wait | wait=10 20 => rejected
                prefer-wait | wait=10 respond-async => rejected
                prefer-wait | wait==10 => rejected
                prefer-wait | =10 => rejected
                prefer-wait | wait="10 => rejected
                prefer-wait | wait="10\\ => rejected
                prefer-wait | wait:10 => rejected
                prefer-wait | foo=@, wait=10 => rejected
                prefer-wait | wait=10, ( => rejected
                prefer-wait | wait=10;; => 10s
                prefer-wait | wait=10; = => rejected
                prefer-wait | wait=\u0661 => rejected
                prefer-wait | wait=10\u0000 => rejected
                prefer-wait | \u00e9, wait=10 => rejected
                """.split("\n"));
    }

    @ParameterizedTest
    @MethodSource("values")
    void isReadAs(String row) {
        int bar = row.indexOf(" |");
        int arrow = row.lastIndexOf(" => ");
        DeadlineHeader header = DeadlineHeaders.named(row.substring(0, bar));
        String text = arrow <= bar + 3 ? "" : row.substring(bar + 3, arrow);
        Reading reading = DeadlineHeaders.read(header, Arrays.asList(text.split(" \\|\\|(?: |$)", -1)));

        String expected = row.substring(arrow + 4);
        if (expected.equals("silent") || expected.equals("rejected")) {
            assertThat(reading).isSameAs(expected.equals("silent") ? Reading.SILENT : Reading.REJECTED);
        } else {
            assertThat(reading).hasToString(expected);
        }
    }

    @Test
    void thereAreEnoughOfThem() {
        assertThat(values().distinct().count()).isGreaterThanOrEqualTo(120);
    }

    @Test
    void whatIsTooLongOrTooMuchIsNotEvenRead() {
        DeadlineHeader prefer = DeadlineHeaders.named("prefer-wait");
        String most = "wait=10, " + "a".repeat(DeadlineHeaders.LONGEST - 9);
        assertThat(DeadlineHeaders.read(prefer, List.of(most)).span()).isEqualTo(Duration.ofSeconds(10));
        assertThat(DeadlineHeaders.read(prefer, List.of(most + "a"))).isSameAs(Reading.REJECTED);
        assertThat(DeadlineHeaders.read(prefer, Collections.nCopies(8, "a"))).isSameAs(Reading.SILENT);
        assertThat(DeadlineHeaders.read(prefer, Collections.nCopies(9, "a"))).isSameAs(Reading.REJECTED);
    }

    @ParameterizedTest
    @CsvSource({
        "x-request-timeout-ms, PT1.5S, 1500",
        "x-request-timeout-ms, PT0.0000001S, 1",
        "x-envoy-expected-rq-timeout-ms, PT2M, 120000",
        "grpc-timeout, PT0.000000001S, 1n",
        "grpc-timeout, PT0.25S, 250000u",
        "grpc-timeout, PT1M39S, 99000000u",
        "grpc-timeout, PT1M41S, 101000m",
        "grpc-timeout, P2D, 172800S",
        "grpc-timeout, P364D, 31449600S",
        "grpc-timeout, P9999D, 31536000S",
        "prefer-wait, PT2.9S, wait=2",
        "prefer-wait, PT0.1S, wait=1",
    })
    void isWrittenAs(String header, Duration span, String value) {
        DeadlineHeader known = DeadlineHeaders.named(header);
        assertThat(known.format(span)).isEqualTo(value);
        assertThat(known.read(List.of(value)).span()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "wait=99                        | wait=20",
                "respond-async, wait=99         | respond-async / wait=20",
                "WAIT=99, a=\"b, wait=1\" ;c=d,,e | a=\"b, wait=1\" ;c=d, e / wait=20",
                "wait=1, wait=2, a              | a / wait=20",
                "a; wait=3                      | a; wait=3 / wait=20",
                "a, wait=3, =                   | wait=20",
                "''                             | wait=20",
            })
    void whoPassesItOnKeepsWhatElseIsSaid(String line, String told) {
        DeadlineHeader prefer = DeadlineHeaders.named("prefer-wait");
        assertThat(DeadlineHeaders.told(prefer, List.of(line), Duration.ofSeconds(20)))
                .containsExactly(told.split(" / ", -1));
        assertThat(DeadlineHeaders.told(
                        DeadlineHeaders.named("grpc-timeout"), List.of("1S", "2S"), Duration.ofMillis(5)))
                .containsExactly("5000000n");
    }

    @Test
    void whoPassesItOnKeepsWhatElseIsSaidHoweverLongThatIs() {
        String other = "a".repeat(DeadlineHeaders.LONGEST);
        assertThat(DeadlineHeaders.told(
                        DeadlineHeaders.named("prefer-wait"), List.of(other + ", wait=3"), Duration.ofSeconds(20)))
                .containsExactly(other, "wait=20");
    }

    @Test
    void aNameThatIsNoneIsToldWithThoseThatAre() {
        assertThatThrownBy(() -> DeadlineHeaders.named("x-timeout"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("\"x-timeout\": unknown header; expected one of x-request-timeout-ms,"
                        + " x-envoy-expected-rq-timeout-ms, grpc-timeout, prefer-wait");
    }

    @Test
    void aProvidersHeaderIsFoundAndMayFail() {
        DeadlineHeader found = DeadlineHeaders.named("x-test-seconds");
        assertThat(DeadlineHeaders.read(found, List.of("3")).span()).isEqualTo(Duration.ofSeconds(3));
        assertThat(DeadlineHeaders.read(found, List.of("three"))).isSameAs(Reading.REJECTED);
    }
}
