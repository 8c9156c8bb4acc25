package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a file may not do to whoever reads it. */
final class PolicyLimitsTest {

    private static String lines(String head, int count, IntFunction<String> line) {
        return head + IntStream.range(0, count).mapToObj(line).collect(Collectors.joining());
    }

    private static String endpoints(int count) {
        return lines("deadlines:\n  endpoints:\n", count, i -> "    \"GET /e" + i + "\": {}\n");
    }

    @Test
    void tenThousandEndpointsAndNoMore() {
        assertThat(PolicyFile.parse("p", endpoints(10_000)).policy().rules()).hasSize(10_000);
        assertThatThrownBy(() -> PolicyFile.parse("p", endpoints(10_050)).policy())
                .isInstanceOfSatisfying(PolicyException.class, refused -> assertThat(refused.errors())
                        .singleElement()
                        .asString()
                        .contains(
                                "line 10003, column 5: deadlines.endpoints[GET /e10000] = \"{}\": one endpoint too many;"
                                        + " expected at most 10000"));
    }

    /** The parser reads in pieces of 1,024 or so, and a character of two may lie across the end of one. */
    @Test
    void aCharacterOfTwoMayStandAnywhere() {
        for (int before = 1_000; before < 2_100; before++) {
            String yaml = "# " + "x".repeat(before) + "\uD83D\uDE00\nmode: cancel\n";
            assertThat(PolicyFile.parse("p", yaml).policy().mode()).isEqualTo(Mode.CANCEL);
        }
    }

    /** Nine lists of nine of the one before: a billion words if anybody counted them. */
    @Test
    void aBombOfAliasesIsRefusedAtItsFirst() {
        StringBuilder bomb = new StringBuilder("a: &a [x, x, x, x, x, x, x, x, x]\n");
        for (char c = 'b'; c <= 'j'; c++) {
            String last = ", *" + (char) (c - 1);
            bomb.append(c)
                    .append(": &")
                    .append(c)
                    .append(" [")
                    .append(last.repeat(9).substring(2))
                    .append("]\n");
        }
        assertThatThrownBy(() -> PolicyFile.parse("p", bomb.toString()).policy())
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining("line 1, column 4: an anchor, which a policy may not use");
    }

    @Test
    void nothingIsBuiltFromATag() {
        assertThatThrownBy(() -> PolicyFile.parse("p", "mode: !!java.net.URL [\"http://127.0.0.1:1/\"]")
                        .policy())
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining("a tag, which a policy may not use");
    }

    /** A list of a thousand windows beside each of very many errors would not fit into memory. */
    @Test
    void aFileThatIsWrongAllOverIsRefusedWithAThousandErrors() {
        String windows = lines("windows:\n", 1_000, i -> "  w" + "x".repeat(55) + i + ": { hours: 1 }\n");
        String wrong = lines("deadlines:\n  defaults:\n", 60_000, i -> "    y" + i + ": 1\n");
        assertThatThrownBy(() -> PolicyFile.parse("p", windows + wrong).policy())
                .isInstanceOfSatisfying(PolicyException.class, refused -> {
                    assertThat(refused.errors()).hasSize(1_001);
                    assertThat(refused.errors().get(999).toString())
                            .contains("unknown key")
                            .hasSizeLessThan(3_000);
                    assertThat(refused.errors().get(1_000))
                            .hasToString("p: so many errors that no others were looked for; expected a policy");
                });
    }

    @Test
    void tenThousandSourcesAndNoMore() {
        String most = lines("sources:\n", 10_000, i -> "  s" + i + ": { host: h" + i + " }\n");
        assertThat(PolicyFile.parse("p", most).policy().sourceAt("h9999", -1)).isPresent();
        assertThatThrownBy(() -> PolicyFile.parse("p", most + "  t: { host: t }\n  u: { host: u }\n")
                        .policy())
                .isInstanceOfSatisfying(PolicyException.class, refused -> assertThat(refused.errors())
                        .singleElement()
                        .asString()
                        .contains("line 10002, column 3: sources[t] = \"{...}\": one source too many; expected at most"
                                + " 10000"));
    }

    /** In one pass. */
    @Test
    void manySourcesAreRead() {
        String many = lines("sources:\n", 5_000, i -> "  s" + i + ": { host: h" + i + ", normal: 1s }\n");
        Policy policy = PolicyFile.parse("p", many).policy();
        assertThat(policy.sourceAt("h4999", 80)).map(Source::name).contains("s4999");
        assertThat(policy.timeoutFor("s7")).isEqualTo(Duration.ofSeconds(1));
        String twice = lines("sources:\n", 2, i -> "  s" + i + ": { host: H, normal: 1s }\n");
        assertThatThrownBy(() -> PolicyFile.parse("p", twice).policy()).hasMessageContaining("the same host as \"s0\"");
    }
}
