package dev.hangup.tune;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GapTest {

    private static final String[] EXAMPLE = {
        "gap", "--rps", "100", "--slow", "8%", "--server", "30s", "--client", "5s", "--pool", "256"
    };

    @Test
    void theExampleOfTheProblem() throws IOException {
        Map<String, Object> json = json(EXAMPLE, "--json");
        assertThat(numbers(json))
                .containsEntry("slow_per_second", 8.0)
                .containsEntry("ownerless_seconds", 25.0)
                .containsEntry("unowned_in_flight", 200.0)
                .containsEntry("pool_share", 0.78125)
                .containsEntry("pool_available", 56.0)
                .containsEntry("servable_per_second", 11.0)
                .containsEntry("offered_per_second", 100.0)
                .containsEntry("added_by_retries", 75.0);
        assertThat(list(json, "attempts"))
                .extracting(row -> number(row, "cumulative"))
                .containsExactly(25.0, 50.0, 75.0, 100.0);
        assertThat(json).containsEntry("verdict", "works_for_nobody").containsEntry("seconds_until_exhausted", null);
        assertThat(list(json, "options"))
                .extracting(row -> row.get("option"))
                .containsExactly("raise_client", "lower_server", "cancel");
        assertThat(list(json, "options"))
                .extracting(row -> number(row, "unowned_in_flight"))
                .containsOnly(0.0);
        assertThat((Map<?, ?>) json.get("null_control"))
                .extracting("unowned_in_flight", "pool_share", "pool_available")
                .containsExactly(0, 0, 256);
    }

    @Test
    void theTableHasTheSameFigures() {
        Ran ran = Ran.of(EXAMPLE);
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .containsPattern("slow requests/s +8\n")
                .containsPattern("ownerless seconds each +25\n")
                .containsPattern("unowned in flight +200 of 256\n")
                .containsPattern("pool share +78 %\n")
                .containsPattern("what is left +56\n")
                .containsPattern("requests/s it can serve +11 at 5s each; 100 are offered\n")
                .containsPattern("connection-seconds +25, 50, 75, 100 after 4 attempts\n")
                .containsPattern("added by retries +75\n")
                .containsPattern("with nothing slow +0 unowned in flight, 0 % of the pool\n");
    }

    @Test
    void workThatEndsBeforeTheDeadlineCountsUntilThen() throws IOException {
        Map<String, Object> json = json(EXAMPLE, "--work", "25s", "--slowest", "25s", "--json");
        assertThat(numbers(json))
                .containsEntry("ownerless_seconds", 20.0)
                .containsEntry("unowned_in_flight", 160.0)
                .containsEntry("pool_share", 0.625);
        assertThat(json.get("server_alone")).asString().contains("25s: it is let through");
        assertThat(json.get("client_alone")).asString().contains("25s: nobody waits");
        assertThat(list(json, "options").get(1).get("cost")).isEqualTo("kills answers that take 25s");
    }

    @ParameterizedTest
    @CsvSource({
        "30s, 5s, '', works_for_nobody, 25",
        "30s, 29s, '', works_for_nobody, 1",
        "5s, 30s, '', waits_for_killed, 0",
        "5s, 5s, '', no_headroom, 0",
        "30s, 5s, --server-cancels, stable, 0",
        "5s, 5s, --server-cancels, no_headroom, 0",
        "1500ms, 250ms, '', works_for_nobody, 1.25"
    })
    void everyPairIsJudged(String server, String client, String more, String verdict, double ownerless)
            throws IOException {
        String[] pair = {"gap", "--rps=50", "--slow=0.1", "--server", server, "--client", client, "--pool=10", "--json"
        };
        Map<String, Object> json = more.isEmpty() ? json(pair) : json(pair, more);
        assertThat(json).containsEntry("verdict", verdict);
        assertThat(numbers(json)).containsEntry("ownerless_seconds", ownerless);
    }

    @Test
    void anExhaustedPoolIsNamedWithTheTimeUntilItIs() throws IOException {
        String[] pair = {"gap", "--rps=100", "--slow=8%", "--server=60s", "--client=5s", "--pool=256"};
        Map<String, Object> json = json(pair, "--json");
        assertThat(numbers(json))
                .containsEntry("pool_share", 440 / 256.0)
                .containsEntry("pool_available", 0.0)
                .containsEntry("servable_per_second", 0.0)
                .containsEntry("seconds_until_exhausted", 32.0);
        assertThat(json).containsEntry("pool_exhausted", true);
        assertThat(Ran.of(pair).out()).contains("no connection left 32 s after");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--rps=x",
                "--rps=-1",
                "--slow=101%",
                "--slow=1.5",
                "--server=30",
                "--client=0s",
                "--pool=0",
                "--attempts=0",
                "--nothing"
            })
    void whatIsNoNumberIsUsage(String wrong) {
        Ran ran = Ran.of("gap", "--rps=1", "--slow=1%", "--server=3s", "--client=1s", "--pool=5", wrong);
        assertThat(ran.code()).isEqualTo(Tune.USAGE);
        assertThat(ran.err()).doesNotContain("\tat ");
    }

    private static Map<String, Object> json(String[] first, String... more) throws IOException {
        Ran ran =
                Ran.of(Stream.concat(Arrays.stream(first), Arrays.stream(more)).toArray(String[]::new));
        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        return JSON.std.mapFrom(ran.out());
    }

    private static Map<String, Double> numbers(Map<String, Object> json) {
        Map<String, Double> numbers = new HashMap<>();
        json.forEach((key, value) -> {
            if (value instanceof Number number) {
                numbers.put(key, number.doubleValue());
            }
        });
        return numbers;
    }

    private static double number(Map<String, Object> json, String key) {
        return json.get(key) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> json, String key) {
        return json.get(key) instanceof List<?> list ? (List<Map<String, Object>>) list : List.of();
    }
}
