package dev.hangup.tune.apply;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RevisionTest {

    private static final String WINDOWS = "windows: { spike: { minutes: 0-7 }, late: { hours: 22-5 } }\n";

    private static Advice advice(String target, String window, String recommended) {
        Target.Kind kind = target.contains(" /") ? Target.Kind.ENDPOINT : Target.Kind.SOURCE;
        Duration value = dev.hangup.policy.Durations.parse(recommended);
        return new Advice(
                new Target(kind, target),
                window,
                value,
                1_000,
                0.999,
                0.99,
                new Advice.Runs(9, 9),
                "",
                Advice.Why.UNKNOWN,
                false);
    }

    private static Revision revision(String yaml, Advice... advice) {
        PolicySheet sheet = PolicySheet.of("test", yaml);
        List<Ruling> rulings = new ArrayList<>();
        for (Advice one : advice) {
            rulings.add(new Caution(5, 0.002).decide(one, sheet.value(one.target(), one.window())));
        }
        return Revision.of(sheet, rulings);
    }

    private static String revised(String yaml, Advice... advice) {
        return revision(yaml, advice).text();
    }

    private static Advice sixty(String window) {
        return advice("GET /a", window, "1m");
    }

    @Test
    void aMissingWindowGoesWhereItsEntryIsWritten() {
        String head = WINDOWS + "deadlines:\n   endpoints:\n";
        assertThat(revised(head + "      \"GET /a\": { mode: cancel } # x\n", sixty("spike")))
                .isEqualTo(head + "      \"GET /a\": { mode: cancel, spike: 60s } # x\n");
        assertThat(revised(head + "      GET /a: {}\n", sixty("spike"))).endsWith("GET /a: { spike: 60s }\n");
        assertThat(revised(head + "      GET /a:   # x\n", sixty("spike"))).endsWith("GET /a: { spike: 60s }   # x\n");
        assertThat(revised(head + "      GET /a: ~ # x\n", sixty("spike"))).endsWith("GET /a: { spike: 60s } # x\n");
        assertThat(revised(head + "     GET /a:\n          mode: off # x\n   # y\n", sixty("spike")))
                .endsWith("          mode: off # x\n          spike: 60s\n   # y\n");
        assertThat(revised(head + "     GET /a:\n          mode: off # x", sixty("spike")))
                .endsWith("          mode: off # x\n          spike: 60s");
        assertThat(revised(head + "     GET /a: { mode: off,\n    late: 1m # x\n  }", sixty("spike")))
                .endsWith("late: 1m, spike: 60s # x\n  }");
        assertThat(revised(WINDOWS + "deadlines: { endpoints: { \"GET /a\" } }", sixty("spike")))
                .endsWith("deadlines: { endpoints: { \"GET /a\": { spike: 60s } } }");
        assertThat(revised(head + "     ? \"GET /a\"\n     :  mode: off\n", sixty("spike")))
                .endsWith(":  mode: off\n        spike: 60s\n");
    }

    @Test
    void aMissingEntryGoesBesideTheOthers() {
        String flow = "deadlines:\n  endpoints:\n    GET /b: { normal: 1s } # b\n";
        assertThat(revised(flow, sixty("normal"))).isEqualTo(flow + "    \"GET /a\": { normal: 60s }\n");
        String block = "deadlines:\r\n  endpoints:\r\n    GET /b:\r\n      normal: 1s\r\nmode: observe";
        assertThat(revised(block, sixty("normal")))
                .isEqualTo(block.replace("mode:", "    \"GET /a\":\r\n      normal: 60s\r\nmode:"));
        String added = "deadlines:\n  endpoints:\n    \"GET /a\": { normal: 60s }\n";
        assertThat(revised("", sixty("normal"))).isEqualTo(added);
        assertThat(revised("# none\n", sixty("normal"))).isEqualTo("# none\n" + added);
        assertThat(revised("mode: off\n", sixty("normal"))).isEqualTo("mode: off\n" + added);
        assertThat(revised("{mode: off}", sixty("normal")))
                .isEqualTo("{mode: off, deadlines: { endpoints: { \"GET /a\": { normal: 60s } } }}");
        assertThat(revised("deadlines: # x\n", sixty("normal")))
                .isEqualTo("deadlines: { endpoints: { \"GET /a\": { normal: 60s } } } # x\n");
        assertThat(revised("deadlines:\n  defaults: { normal: 2s }\nmode: off\n", sixty("normal")))
                .isEqualTo("deadlines:\n  defaults: { normal: 2s }\n" + added.substring("deadlines:\n".length())
                        + "mode: off\n");
    }

    @Test
    void namingAnEndpointDoesNotChangeHowItIsTreated() {
        assertThat(revised("mode: cancel\n", advice("POST /a", "normal", "1m")))
                .endsWith("\"POST /a\": { mode: observe, normal: 60s }\n");
        Revision revision = revision("deadlines: { endpoints: { \"GET /{id}\": { mode: cancel } } }", sixty("normal"));
        assertThat(revision.changes()).isFalse();
        assertThat(revision.rulings()).singleElement().satisfies(ruling -> {
            assertThat(ruling.course()).isEqualTo(Ruling.Course.SKIP);
            assertThat(ruling.reason()).contains("GET /{id}");
        });
    }

    @Test
    void whatIsNowhereInTheFileIsSkippedAndSaid() {
        Revision revision = revision(
                "sources: { b: { host: b.example.com, normal: 1s } }",
                advice("a", "normal", "3s"),
                advice("b", "spike", "3s"),
                advice("b.example.com", "normal", "3s"),
                advice("b", "normal", "4s"),
                advice("GET /x*", "normal", "1m"));
        assertThat(revision.rulings().stream().map(ruling -> ruling.advice().target() + " " + ruling.course()))
                .containsExactlyInAnyOrder("a SKIP", "b SKIP", "b.example.com SKIP", "b RAISE", "GET /x* SKIP");
    }

    @Test
    void windowsWithoutAValueFollowUpButNeitherDownNorFromTheDefaults() {
        String entry = WINDOWS + "deadlines: { endpoints: { \"GET /a\": { normal: 20s } } }";
        Revision up = revision(entry, sixty("normal"));
        assertThat(up.text()).endsWith("{ normal: 60s } } }");
        assertThat(up.notes())
                .containsExactly("GET /a, spike: follows normal to 60s", "GET /a, late: follows normal to 60s");
        Revision down = revision(entry, advice("GET /a", "normal", "10s"), sixty("spike"));
        assertThat(down.text()).endsWith("{ normal: 10s, spike: 60s, late: 20s } } }");
        assertThat(down.notes()).singleElement().asString().contains("late: stays 20s");
        assertThat(revised(entry, sixty("normal"), advice("GET /a", "spike", "20s")))
                .endsWith("{ normal: 60s, spike: 20s } } }");
        String defaults = WINDOWS + "deadlines: { defaults: { normal: 20s, spike: 25s } }";
        assertThat(revised(defaults, sixty("normal")))
                .endsWith("endpoints: { \"GET /a\": { normal: 60s, spike: 25s } } }");
    }

    @Test
    void theValueKeepsItsQuotesAndItsUnit() {
        assertThat(revised("sources: { a: { host: a, normal: '1500ms' } }", advice("a", "normal", "2.9s")))
                .contains("'2900ms'");
        assertThat(revised("sources: { a: { host: a, normal: \"1\\x2e5s\" } }", advice("a", "normal", "2.9s")))
                .contains("normal: \"2.9s\" }");
        assertThat(revised("sources: { a: { host: a, normal: 1m } }", advice("a", "normal", "90s")))
                .contains("1.5m");
        assertThat(revised("sources: { a: { host: a, normal: 1m } }", advice("a", "normal", "61.5s")))
                .contains("61.5s");
        assertThat(revised("sources:\n  a:\n    host: a\n    normal: >- # 1s\n      1s\n", advice("a", "normal", "2s")))
                .endsWith("normal: >- # 1s\n      2s\n");
    }

    @Test
    void theDifferenceIsShownAsDiffShowsIt() {
        String yaml = "# 1\n# 2\n# 3\n# 4\nsources:\n  a:\n    host: a\n    normal: 1s\n# 5\n# 6\n# 7\n# 8\n";
        assertThat(revision(yaml, advice("a", "normal", "2s")).diff("x.yaml")).isEqualTo("""
                        --- x.yaml
                        +++ x.yaml
                        @@ -5,7 +5,7 @@
                         sources:
                           a:
                             host: a
                        -    normal: 1s
                        +    normal: 2s
                         # 5
                         # 6
                         # 7
                        """);
        assertThat(revision("mode: off", sixty("normal")).diff("x.yaml")).isEqualTo("""
                        --- x.yaml
                        +++ x.yaml
                        @@ -1,1 +1,4 @@
                        -mode: off
                        \\ No newline at end of file
                        +mode: off
                        +deadlines:
                        +  endpoints:
                        +    "GET /a": { normal: 60s }
                        \\ No newline at end of file
                        """);
        assertThat(revision(yaml, advice("a", "normal", "1s")).diff("x.yaml")).isEmpty();
    }
}
