package dev.hangup.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A damaged policy is refused with a reason or, if the damage makes sense, taken: nothing else ever comes out. */
final class PolicyMutationTest {

    private static final int ROUNDS = 10_000;
    private static final long SEED = 20_250_101;
    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        ":",
        ": ",
        "- ",
        "? ",
        "&a ",
        "*a",
        "!!str ",
        "!",
        "|",
        ">",
        "'",
        "\"",
        "%YAML 1.1\n",
        "---\n",
        "...\n",
        "#",
        "\t",
        "\n",
        "\r",
        " ",
        ",",
        "~",
        "null",
        "-",
        "0",
        "99999999999999999999",
        "e9",
        "\\x",
        "\u0000",
        "\u0085",
        "\uFEFF",
        "\uD800",
        "\uDC00",
        "\uD83D\uDE00",
        "\u2028",
        "<<: ",
        "mode: ",
        "{x}",
        "/",
        "//",
        "GET /",
        "ms"
    };

    @Test
    void aDamagedTextIsRefusedOrTaken() {
        Random random = new Random(SEED);
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            refused += refused(round, PolicyFile.parse("hangup.yaml", damaged(random)));
        }
        assertThat(refused).isBetween(ROUNDS / 4, ROUNDS - ROUNDS / 100);
    }

    @Test
    void damagedBytesAreRefusedOrTaken() {
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS / 4; round++) {
            byte[] bytes = PolicyFileTest.WHOLE.getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i <= random.nextInt(3); i++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            refused(round, PolicyFile.read("hangup.yaml", new ByteArrayInputStream(bytes)));
        }
    }

    @Test
    void damagedParametersAreRefusedOrTaken() {
        Random random = new Random(SEED);
        String[] names = {"mode", "grace", "hangup.deadline", "zone", "retry-after", "deadline-status", "policy", "x"};
        for (int round = 0; round < ROUNDS / 4; round++) {
            StringBuilder value = new StringBuilder("30s");
            value.insert(random.nextInt(4), PIECES[random.nextInt(PIECES.length)]);
            String name = names[random.nextInt(names.length)];
            refused(round, PolicyFile.none().withOverrides(Map.of(name, value.toString()), "init-param"));
        }
    }

    private static int refused(int round, PolicyFile file) {
        try {
            Policy policy = file.policy();
            assertThat(policy.ruleFor("GET", "/reports/1").deadline()).isPositive();
            return 0;
        } catch (PolicyException refusal) {
            assertThat(refusal.errors()).isNotEmpty().allSatisfy(PolicyMutationTest::isUseful);
            return 1;
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError unexpected) {
            throw new AssertionError("round " + round + " of seed " + SEED, unexpected);
        }
    }

    private static void isUseful(PolicyProblem problem) {
        assertThat(problem.toString()).doesNotContain("\n", "\r");
        assertThat(problem.problem()).isNotBlank();
        assertThat(problem.expected()).isNotBlank();
        boolean whole = problem.source().equals("hangup.yaml");
        assertThat(problem.line()).isBetween(whole ? 1 : 0, 100);
        assertThat(problem.column()).isBetween(whole ? 1 : 0, 1_000);
    }

    private static String damaged(Random random) {
        StringBuilder text = new StringBuilder(PolicyFileTest.WHOLE);
        int damages = 1 + random.nextInt(4);
        for (int i = 0; i < damages; i++) {
            int at = random.nextInt(text.length() + 1);
            int to = Math.min(text.length(), at + random.nextInt(20));
            switch (random.nextInt(6)) {
                case 0 -> text.delete(at, to);
                case 1 -> text.insert(at, text.substring(at, to));
                case 2 ->
                    text.replace(
                            at, at + 1, String.valueOf((char) random.nextInt(random.nextBoolean() ? 128 : 0x10000)));
                case 3 -> text.setLength(at);
                default -> text.insert(at, PIECES[random.nextInt(PIECES.length)]);
            }
        }
        return text.toString();
    }
}
