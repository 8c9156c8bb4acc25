package dev.hangup.policy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The bytes of a policy's text, or why there are none. Judged when it is read. Immutable. */
final class PolicyText {

    private final String source;
    private final byte[] bytes;
    /** Why there are no bytes; empty if there are. */
    private final String problem;
    /** What was given as text, and was never bytes. */
    private final @Nullable String given;

    private PolicyText(String source, byte[] bytes, String problem, @Nullable String given) {
        this.source = source;
        this.bytes = bytes;
        this.problem = problem;
        this.given = given;
    }

    static PolicyText of(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return of(file.toString(), in);
        } catch (NoSuchFileException missing) {
            return unusable(file.toString(), "no such file");
        } catch (IOException unreadable) {
            return unusable(file.toString(), "cannot be read: " + unreadable);
        }
    }

    static PolicyText of(String source, InputStream in) {
        try {
            byte[] bytes = in.readNBytes(YamlReader.MOST + 1);
            return bytes.length > YamlReader.MOST
                    ? unusable(source, "larger than 1 MiB")
                    : new PolicyText(source, bytes, "", null);
        } catch (IOException unreadable) {
            return unusable(source, "cannot be read: " + unreadable);
        }
    }

    static PolicyText of(String source, String yaml) {
        return new PolicyText(source, new byte[0], "", yaml);
    }

    private static PolicyText unusable(String source, String problem) {
        return new PolicyText(source, new byte[0], problem, null);
    }

    boolean isSame(PolicyText other) {
        return problem.equals(other.problem) && Arrays.equals(bytes, other.bytes) && Objects.equals(given, other.given);
    }

    void read(PolicyBuilder builder, Problems problems) {
        if (!problem.isEmpty()) {
            problems.unusable(source, problem, "a readable policy file");
            return;
        }
        if (given != null) {
            PolicyDocument.read(source, given, builder, problems);
            return;
        }
        CharBuffer text = CharBuffer.allocate(bytes.length);
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), text, true);
        text.flip();
        if (result.isError()) {
            problems.add(PolicyProblem.after(source, text.toString(), "not UTF-8", "one YAML document in UTF-8"));
        } else {
            PolicyDocument.read(source, text.toString(), builder, problems);
        }
    }
}
