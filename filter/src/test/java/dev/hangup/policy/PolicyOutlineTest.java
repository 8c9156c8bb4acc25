package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class PolicyOutlineTest {

    private static String written(String yaml, String... path) {
        PolicyOutline at = PolicyOutline.of("test", yaml);
        for (String key : path) {
            at = at.at(key).orElseThrow();
        }
        return yaml.substring(at.begin(), at.end());
    }

    @Test
    void aValueIsWhereItIsWritten() {
        String yaml = """
                \uFEFF# \uD83D\uDE00 a comment
                deadlines:
                    defaults: { 'normal': "30s" , a: 1s}   # after
                    endpoints:
                        "GET /\uD83D\uDE00": # none
                """;
        assertThat(written(yaml, "deadlines", "defaults", "normal")).isEqualTo("\"30s\"");
        assertThat(written(yaml, "deadlines", "defaults", "a")).isEqualTo("1s");
        assertThat(written(yaml, "deadlines", "defaults")).isEqualTo("{ 'normal': \"30s\" , a: 1s}");
        assertThat(written(yaml, "deadlines")).startsWith("defaults:").endsWith("\"GET /\uD83D\uDE00\":");
        assertThat(written(yaml.replace("\n", "\r\n"), "deadlines", "defaults", "a"))
                .isEqualTo("1s");
    }

    @Test
    void aBlockEndsBeforeTheCommentsAfterIt() {
        String yaml = "a:\n  b: 1s # of b\n  # of a\n\nc: { d:\n 2s }\ne:\n- 1\n- 2 # of e\n";
        assertThat(written(yaml, "a")).isEqualTo("b: 1s");
        assertThat(written(yaml, "c")).isEqualTo("{ d:\n 2s }");
        assertThat(written(yaml, "e")).isEqualTo("- 1\n- 2");
        assertThat(PolicyOutline.of("test", yaml).end()).isEqualTo(yaml.indexOf(" # of e"));
    }

    @Test
    void itTellsWhatIsWritten() {
        PolicyOutline root = PolicyOutline.of("test", "a:\nb: {}\nc: []\nd: x\ne: {f: ~}\n");
        assertThat(root.members().stream().map(member -> member.value().kind()))
                .isEqualTo(List.of(
                        PolicyOutline.Kind.NOTHING,
                        PolicyOutline.Kind.FLOW,
                        PolicyOutline.Kind.LIST,
                        PolicyOutline.Kind.VALUE,
                        PolicyOutline.Kind.FLOW));
        assertThat(root.kind()).isEqualTo(PolicyOutline.Kind.BLOCK);
        assertThat(root.at("e").orElseThrow().at("f").orElseThrow().kind()).isEqualTo(PolicyOutline.Kind.NOTHING);
        assertThat(root.at("nowhere")).isEmpty();
        assertThat(PolicyOutline.of("test", "# nothing\n").members()).isEmpty();
    }

    @Test
    void whatAPolicyMayNotHoldIsRefusedWithItsPlace() {
        assertThatThrownBy(() -> PolicyOutline.of("x.yaml", "a: &b 1s\n"))
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining("x.yaml, line 1, column 4: an anchor");
    }
}
