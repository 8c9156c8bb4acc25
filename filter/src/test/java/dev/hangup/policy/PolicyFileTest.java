package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hangup.call.Treatment;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PolicyFileTest {

    /** Every key that this version knows, at its default or beside it. */
    static final String WHOLE = """
            mode: observe                    # observe | cancel | off, for endpoints not named below
            half-close: gone                 # gone | tolerate
            zone: UTC
            settings:                        # every key and its default
              grace: 100ms
              escalate-after: 2s
              stuck-after: 10s
              drain: 5s
              keep-alive: off
              max-cancel-share: off
              retry-after: off
              deadline-status: 504
              request-start-header: off
            windows: {}
            caller-deadline:
              headers: []
              trusted: []
              floor: 50ms
            deadlines:
              defaults: { normal: 30s }
              endpoints:
                "GET /reports/{id}": { mode: cancel, normal: 45s }
                "POST /orders":      { mode: observe, normal: 10s, covers: response }
                "GET /search":
                  mode: cancel
                  interrupt: false
                  half-close: tolerate
                "GET /plain":
            sources:
              defaults: { normal: 1.5s }
            """;

    @Test
    void readsAWholeDocument() {
        Policy policy = PolicyFile.parse("hangup.yaml", WHOLE).policy();

        assertThat(policy.settings()).isEqualTo(Settings.DEFAULTS);
        assertThat(policy.describe())
                .isEqualTo("mode observe, half-close gone, deadline 30s, cancels GET /reports/{id}, GET /search");
        assertThat(policy.rules())
                .extracting(Rule::toString)
                .containsExactly(
                        "GET /reports/{id} (cancel, 45s)",
                        "POST /orders (observe, 10s)",
                        "GET /search (cancel, 30s)",
                        "GET /plain (observe, 30s)");
        Rule search = policy.ruleFor("GET", "/search");
        assertThat(search.treatment().interrupts()).isFalse();
        assertThat(search.treatment().halfCloseIsGone()).isFalse();
        assertThat(policy.ruleFor("GET", "/reports/1").treatment().halfCloseIsGone())
                .isTrue();
    }

    @Test
    void readsEverySetting() {
        Policy policy = PolicyFile.parse("hangup.yaml", """
                        mode: cancel
                        half-close: tolerate
                        zone: Europe/Paris
                        settings:
                          grace: 0ms
                          escalate-after: 1s
                          stuck-after: 3s
                          drain: 0s
                          keep-alive: 10s/3s/3
                          max-cancel-share: 12.5%
                          retry-after: 7s
                          deadline-status: 503
                          request-start-header: X-Request-Start
                        deadlines: { defaults: { normal: 1.5s } }
                        """).policy();

        assertThat(policy.settings())
                .isEqualTo(new Settings(
                        Duration.ZERO,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(3),
                        Duration.ZERO,
                        Duration.ofSeconds(7),
                        503,
                        new KeepAlive(Duration.ofSeconds(10), Duration.ofSeconds(3), 3),
                        0.125,
                        "x-request-start"));
        assertThat(policy.mode()).isEqualTo(Mode.CANCEL);
        assertThat(policy.halfClose()).isEqualTo(HalfClose.TOLERATE);
        assertThat(policy.zone().getId()).isEqualTo("Europe/Paris");
        assertThat(policy.ruleFor("GET", "/").deadline()).isEqualTo(Duration.ofMillis(1500));
        assertThat(policy.ruleFor("GET", "/").treatment().escalateAfter()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void anEntryMayHaveALadderOfItsOwn() {
        Policy policy = PolicyFile.parse("hangup.yaml", """
                        settings: { escalate-after: 1s, stuck-after: 3s }
                        deadlines:
                          endpoints:
                            "GET /slow":  { mode: cancel, escalate-after: 500ms, stuck-after: 20s }
                            "GET /deaf":  { mode: cancel, interrupt: false, stuck-after: 1s }
                            "GET /plain": { mode: cancel }
                        """).policy();

        assertThat(policy.rules())
                .extracting(Rule::treatment)
                .containsExactly(
                        new Treatment(true, true, true, true, Duration.ofMillis(500), Duration.ofSeconds(20)),
                        new Treatment(true, false, true, true, Duration.ofSeconds(1), Duration.ofSeconds(1)),
                        new Treatment(true, true, true, true, Duration.ofSeconds(1), Duration.ofSeconds(3)));
        assertThat(Policy.builder()
                        .endpoint(
                                "GET /slow",
                                Entry.of(Mode.CANCEL)
                                        .escalateAfter(Duration.ofMillis(500))
                                        .stuckAfter(Duration.ofSeconds(20))
                                        .normal(Duration.ofSeconds(1))
                                        .interrupt(false))
                        .build()
                        .ruleFor("GET", "/slow")
                        .treatment())
                .isEqualTo(new Treatment(true, false, true, true, Duration.ofMillis(500), Duration.ofSeconds(20)));
        assertThatThrownBy(() -> Entry.INHERITED.stuckAfter(Duration.ZERO)).hasMessage("stuckAfter must be above zero");
        assertThatThrownBy(() -> Entry.INHERITED.escalateAfter(Duration.ZERO))
                .hasMessage("escalateAfter must be above zero");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n\n",
                "# nothing but a comment\n",
                "---\n",
                "{}",
                "~",
                "\uFEFF{}",
                "%YAML 1.2\n---\n{}\n...\n",
                "settings:\ndeadlines:\n  endpoints:\n",
                "deadlines: { endpoints: ~ }"
            })
    void nothingWrittenIsTheDefaults(String yaml) {
        assertThat(PolicyFile.parse("hangup.yaml", yaml).policy().describe())
                .isEqualTo(Policy.defaults().describe());
    }

    @Test
    void noFileIsTheDefaults() {
        assertThat(PolicyFile.none().policy().describe())
                .isEqualTo(Policy.defaults().describe());
    }

    @Test
    void quotesAndCarriageReturnsMakeNoDifference() {
        Policy policy = PolicyFile.parse("hangup.yaml", "\"mode\": 'cancel'\r\nsettings: {\"grace\": \"5ms\"}\r\n")
                .policy();

        assertThat(policy.mode()).isEqualTo(Mode.CANCEL);
        assertThat(policy.settings().grace()).isEqualTo(Duration.ofMillis(5));
    }

    @Test
    void readsFromDisk(@TempDir Path dir) throws IOException {
        Path file = Files.writeString(dir.resolve("hangup.yaml"), WHOLE);
        PolicyFile read = PolicyFile.read(file);
        Files.delete(file);

        assertThat(read.policy().rules()).hasSize(4);
    }

    @Test
    void readsAStream() {
        byte[] bytes = "mode: off".getBytes(StandardCharsets.UTF_8);

        assertThat(PolicyFile.read("classpath:hangup.yaml", new ByteArrayInputStream(bytes))
                        .policy()
                        .mode())
                .isEqualTo(Mode.OFF);
    }

    @Test
    void aFileThatCannotBeReadIsAnError(@TempDir Path dir) {
        Path missing = dir.resolve("missing.yaml");

        assertThat(refusal(PolicyFile.read(missing)))
                .hasMessage("The policy is refused, 1 error:\n" + missing
                        + ": no such file; expected a readable policy file");
        assertThat(refusal(PolicyFile.read(dir)))
                .hasMessageContaining(dir + ": cannot be read: ")
                .hasMessageContaining("directory");
    }

    @Test
    void aFileThatIsNotUtf8IsAnErrorAtItsPlace(@TempDir Path dir) throws IOException {
        Path file = dir.resolve("hangup.yaml");
        Files.write(file, "mode: off\n# caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(refusal(PolicyFile.read(file)))
                .hasMessageEndingWith(file + ", line 2, column 6: not UTF-8; expected one YAML document in UTF-8");
    }

    @Test
    void aFileHasABearableSize(@TempDir Path dir) throws IOException {
        String comment = "#".repeat((1 << 20) - 1) + "\n";
        Path file = Files.writeString(dir.resolve("hangup.yaml"), comment);
        assertThat(PolicyFile.read(file).policy().rules()).isEmpty();
        assertThat(PolicyFile.parse("text", comment).policy().rules()).isEmpty();

        Files.writeString(file, comment + "\n");
        assertThat(refusal(PolicyFile.read(file))).hasMessageContaining("larger than 1 MiB");
        assertThat(refusal(PolicyFile.parse("text", comment + "\n"))).hasMessageContaining("text: larger than 1 MiB");
    }

    @Test
    void errorsAreAListToo() {
        PolicyException refusal = refusal(PolicyFile.parse("hangup.yaml", "mode: x\nsettings: { grace: -5ms }\n"));

        assertThat(refusal.errors())
                .containsExactly(
                        new PolicyProblem(
                                "hangup.yaml", 1, 7, "mode", "x", "unknown mode", "one of observe, cancel, off"),
                        new PolicyProblem(
                                "hangup.yaml",
                                2,
                                20,
                                "settings.grace",
                                "-5ms",
                                "must not be negative",
                                "a duration of 0ms or more, such as 1500ms, 1.5s, 30s or 2m"));
        assertThatThrownBy(() -> refusal.errors().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void theMessageOfAHopelessFileEnds() {
        PolicyException refusal = refusal(PolicyFile.parse("hangup.yaml", lines(60)));

        assertThat(refusal.errors()).hasSize(60);
        assertThat(refusal.getMessage()).hasLineCount(52);
        assertThat(refusal)
                .hasMessageStartingWith("The policy is refused, 60 errors:\n")
                .hasMessageEndingWith("\nand 10 more");
    }

    @Test
    void whatIsShownOfAValueStaysOnOneLine() {
        assertThat(refusal(PolicyFile.parse("hangup.yaml", "mode: \"a\\nFATAL: all is lost\\u202E\\u2028\"")))
                .hasMessageContaining("mode = \"a?FATAL: all is lost??\": unknown mode");
        assertThat(refusal(PolicyFile.parse("hangup.yaml", "mode: " + "x".repeat(500))))
                .hasMessageContaining("mode = \"" + "x".repeat(100) + "...\": unknown mode");
    }

    private static String lines(int count) {
        StringBuilder yaml = new StringBuilder();
        for (int i = 0; i < count; i++) {
            yaml.append("unknown").append(i).append(": 1\n");
        }
        return yaml.toString();
    }

    static PolicyException refusal(PolicyFile file) {
        PolicyException refusal = catchThrowableOfType(PolicyException.class, file::policy);
        assertThat(refusal).as("a refusal").isNotNull();
        return refusal;
    }
}
