package dev.hangup.tune.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hangup.policy.Durations;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyException;
import dev.hangup.policy.PolicyFile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Policies as people write them, 200 of them: what was decided is in the file afterwards, and every other byte is as it was. */
final class RoundTripTest {

    private static final int POLICIES = 200;
    private static final Map<String, Instant> MOMENTS = Map.of(
            "normal", Instant.parse("2025-03-04T10:15:00Z"),
            "spike_00", Instant.parse("2025-03-04T10:03:00Z"),
            "spike_30", Instant.parse("2025-03-04T10:33:00Z"));
    /** Values in the same unit. */
    private static final Map<String, String> OTHER =
            Map.of("1500ms", "2900ms", "1.5s", "2.9s", "1s", "1.1s", "30s", "45s", "2m", "2.5m", "1.250s", "3s");

    @Test
    void valuesThatAreThereAreAllThatDiffers() {
        int changed = 0;
        for (long seed = 0; seed < POLICIES; seed++) {
            Map<String, Map<String, String>> before = GeneratedPolicy.values(seed);
            Map<String, Map<String, String>> after = new LinkedHashMap<>();
            List<Ruling> rulings = new ArrayList<>();
            Random random = new Random(~seed);
            before.forEach((entry, own) -> {
                Map<String, String> now = new LinkedHashMap<>(own);
                own.forEach((window, value) -> {
                    // What follows normal is another test's matter.
                    if (own.size() == MOMENTS.size() && random.nextBoolean()) {
                        String other = OTHER.getOrDefault(value, "");
                        now.put(window, other);
                        rulings.add(raise(entry, window, value, other));
                    }
                });
                after.put(entry, now);
            });
            String old = GeneratedPolicy.text(seed, before);
            Revision revision = Revision.of(PolicySheet.of("test", old), rulings);
            assertThat(revision.text()).as("policy %s", seed).isEqualTo(GeneratedPolicy.text(seed, after));
            assertThat(revision.notes()).isEmpty();
            changed += rulings.size();
        }
        assertThat(changed).isGreaterThan(POLICIES);
    }

    @Test
    void whatWasNotThereIsAddedAndTheFilterSeesWhatWasDecided() {
        int added = 0;
        for (long seed = 0; seed < POLICIES; seed++) {
            String old = GeneratedPolicy.text(seed, GeneratedPolicy.values(seed));
            PolicySheet sheet = PolicySheet.of("test", old);
            Map<String, Duration> expected = inForce(old);
            List<Ruling> rulings = new ArrayList<>();
            Random random = new Random(~seed);
            for (String cell : expected.keySet().stream().sorted().toList()) {
                String entry = cell.substring(0, cell.indexOf(','));
                String window = cell.substring(cell.indexOf(',') + 2);
                Duration from = expected.getOrDefault(cell, Duration.ZERO);
                Duration to = from.plusMillis(100L * random.nextInt(3));
                rulings.add(
                        to.equals(from)
                                ? ruling(entry, window, from, to, Ruling.Course.KEEP)
                                : ruling(entry, window, from, to, Ruling.Course.RAISE));
                expected.put(cell, to);
            }
            Revision revision = Revision.of(sheet, rulings);
            assertThat(inForce(revision.text()))
                    .as("policy %s:%n%s", seed, revision.diff("test"))
                    .isEqualTo(expected);
            assertThat(values(revision.text()))
                    .as("comments of policy %s", seed)
                    .isEqualTo(values(old));
            added += revision.text().length() - old.length();
        }
        assertThat(added).isGreaterThan(POLICIES);
    }

    @Test
    void anAnchorIsRefused() {
        for (long seed = 0; seed < 20; seed++) {
            String old = GeneratedPolicy.text(seed, GeneratedPolicy.values(seed))
                    .replace("mode: observe", "mode: &m observe");
            assertThatThrownBy(() -> PolicySheet.of("test", old))
                    .isInstanceOf(PolicyException.class)
                    .hasMessageContaining("anchor");
        }
    }

    /** As the filter looks it up, in a moment of each window. */
    private static Map<String, Duration> inForce(String text) {
        Map<String, Duration> values = new HashMap<>();
        MOMENTS.forEach((window, moment) -> {
            Policy policy = PolicyFile.parse("test", text).policy(() -> moment);
            assertThat(policy.window()).isEqualTo(window);
            policy.rules().forEach(rule -> values.put(rule.endpoint() + ", " + window, rule.deadline()));
            String source = GeneratedPolicy.SOURCE;
            values.put(source + ", " + window, policy.timeoutFor(source));
        });
        return values;
    }

    /** All comments, which no insertion may swallow. */
    private static List<String> values(String text) {
        return text.lines()
                .filter(line -> line.contains("#"))
                .map(line -> line.substring(line.indexOf('#')))
                .toList();
    }

    private static Ruling raise(String entry, String window, String from, String to) {
        return ruling(entry, window, Durations.parse(from), Durations.parse(to), Ruling.Course.RAISE);
    }

    private static Ruling ruling(String entry, String window, Duration from, Duration to, Ruling.Course course) {
        Target.Kind kind = entry.equals(GeneratedPolicy.SOURCE) ? Target.Kind.SOURCE : Target.Kind.ENDPOINT;
        Advice advice = new Advice(
                new Target(kind, entry),
                window,
                to,
                1_000,
                0.999,
                0.99,
                new Advice.Runs(9, 9),
                "",
                Advice.Why.UNKNOWN,
                false);
        return new Ruling(advice, from, to, course, "");
    }
}
