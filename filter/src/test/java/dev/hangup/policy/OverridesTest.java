package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OverridesTest {

    private static final String FILE = """
            mode: observe
            settings: { grace: 10ms, drain: 1s }
            deadlines:
              defaults: { normal: 20s }
              endpoints:
                "GET /a/{id}": { mode: cancel, normal: 5s }
                "GET /b": { mode: cancel }
            """;

    @ParameterizedTest
    @ValueSource(strings = {"", "hangup."})
    void parametersGoOnTopOfTheFileKeyByKey(String prefix) {
        Map<String, String> params = Map.of(
                prefix + "mode", "cancel",
                prefix + "half-close", "tolerate",
                prefix + "zone", "Europe/Paris",
                prefix + "deadline", " 25s\n",
                prefix + "grace", "0ms",
                prefix + "retry-after", "3s",
                prefix + "keep-alive", "off",
                prefix + "config", "/etc/hangup.yaml",
                prefix + "enabled", "true");
        Policy policy = PolicyFile.parse("hangup.yaml", FILE)
                .withOverrides(params, "init-param")
                .policy();

        assertThat(policy.mode()).isEqualTo(Mode.CANCEL);
        assertThat(policy.halfClose()).isEqualTo(HalfClose.TOLERATE);
        assertThat(policy.zone().getId()).isEqualTo("Europe/Paris");
        assertThat(policy.settings())
                .isEqualTo(Settings.DEFAULTS
                        .withGrace(Duration.ZERO)
                        .withDrain(Duration.ofSeconds(1))
                        .withRetryAfter(Duration.ofSeconds(3)));
        assertThat(policy.rules())
                .extracting(Rule::toString)
                .containsExactly("GET /a/{id} (cancel, 5s)", "GET /b (cancel, 25s)");
    }

    @Test
    void retryAfterIsSwitchedOffAgain() {
        Policy policy = PolicyFile.parse("hangup.yaml", "settings: { retry-after: 3s }")
                .withOverrides(Map.of("retry-after", "off"), "init-param")
                .policy();

        assertThat(policy.settings().retryAfter()).isNull();
    }

    @Test
    void aWholeDocumentFitsInAParameterAndGoesBeforeTheOthers() {
        String document = """
                mode: off
                settings: { grace: 1ms, drain: 2s }
                deadlines: { endpoints: { "GET /a/{key}": { normal: 7s }, "GET /c": {} } }
                """;
        Policy policy = PolicyFile.parse("hangup.yaml", FILE)
                .withOverrides(Map.of("hangup.policy", document, "grace", "2ms", "hangup.mode", "cancel"), "init-param")
                .policy();

        assertThat(policy.mode()).isEqualTo(Mode.CANCEL);
        assertThat(policy.settings().grace()).isEqualTo(Duration.ofMillis(2));
        assertThat(policy.settings().drain()).isEqualTo(Duration.ofSeconds(2));
        assertThat(policy.rules())
                .extracting(Rule::toString)
                .containsExactly("GET /a/{key} (cancel, 7s)", "GET /b (cancel, 20s)", "GET /c (cancel, 20s)");
    }

    @Test
    void laterOverridesWinOverEarlierOnes() {
        Policy policy = PolicyFile.none()
                .withOverrides(Map.of("mode", "cancel", "grace", "1ms"), "context-param")
                .withOverrides(Map.of("mode", "off"), "init-param")
                .policy();

        assertThat(policy.mode()).isEqualTo(Mode.OFF);
        assertThat(policy.settings().grace()).isEqualTo(Duration.ofMillis(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hangup.grace|-5ms|init-param hangup.grace = \"-5ms\": must not be negative; expected a duration of 0ms or more, such as 1500ms, 1.5s, 30s or 2m",
                "grace|soon|init-param grace = \"soon\": not a duration; expected a duration of 0ms or more, such as 1500ms, 1.5s, 30s or 2m",
                "grace|''|init-param grace = \"\": no value; expected a duration of 0ms or more, such as 1500ms, 1.5s, 30s or 2m",
                "deadline|0s|init-param deadline = \"0s\": must not be zero; expected a duration above zero, such as 1500ms, 1.5s, 30s or 2m",
                "mode|kill|init-param mode = \"kill\": unknown mode; expected one of observe, cancel, off",
                "hangup.keep-alive|30s|init-param hangup.keep-alive = \"30s\": not a keep-alive; expected off, or idle/interval/count in whole seconds up to 32767s and a count from 1 to 127, such as 30s/10s/3",
                "policy|mode: kill|init-param policy, line 1, column 7: mode = \"kill\": unknown mode; expected one of observe, cancel, off",
                "hangup.policy|'a: b: c'|init-param hangup.policy, line 1, column 5: mapping values are not allowed here; expected one plain YAML document",
                "hangup.gracee|1s|init-param hangup.gracee = \"1s\": unknown key (did you mean \"grace\"?); expected one of mode, half-close, zone, deadline, grace, escalate-after, stuck-after, drain, keep-alive, max-cancel-share, retry-after, deadline-status, request-start-header, policy, config, enabled",
                "settings|1s|init-param settings = \"1s\": unknown key; expected one of mode, half-close, zone, deadline, grace, escalate-after, stuck-after, drain, keep-alive, max-cancel-share, retry-after, deadline-status, request-start-header, policy, config, enabled"
            })
    void saysWhatIsWrongWithAParameter(String name, String value, String expected) {
        PolicyFile file = PolicyFile.none().withOverrides(Map.of(name, value), "init-param");

        assertThat(PolicyFileTest.refusal(file).errors())
                .extracting(PolicyProblem::toString)
                .containsExactly(expected);
    }

    @Test
    void aParameterGivenTwiceIsAnError() {
        PolicyFile file = PolicyFile.none().withOverrides(Map.of("mode", "off", "hangup.mode", "cancel"), "init-param");

        assertThat(PolicyFileTest.refusal(file).errors())
                .extracting(PolicyProblem::toString)
                .containsExactly("init-param mode = \"off\": given twice, with and without \"hangup.\";"
                        + " expected each parameter once");
    }

    @Test
    void theErrorsOfAllSourcesAreSaidTogether() {
        PolicyFile file = PolicyFile.parse("hangup.yaml", "mode: x\nzone: y\n")
                .withOverrides(Map.of("policy", "half-close: z"), "context-param")
                .withOverrides(Map.of("grace", "-1s", "drain", "1"), "init-param");

        assertThat(PolicyFileTest.refusal(file).errors())
                .extracting(problem -> problem.source() + ":" + problem.line() + ":" + problem.key())
                .containsExactly(
                        "hangup.yaml:1:mode",
                        "hangup.yaml:2:zone",
                        "context-param policy:1:half-close",
                        "init-param:0:drain",
                        "init-param:0:grace");
    }

    @Test
    void anUnreadableFileDoesNotHideTheRest() {
        PolicyFile file = PolicyFile.read(java.nio.file.Path.of("no", "such.yaml"))
                .withOverrides(Map.of("mode", "x"), "init-param");

        assertThat(PolicyFileTest.refusal(file).errors()).hasSize(2);
    }
}
