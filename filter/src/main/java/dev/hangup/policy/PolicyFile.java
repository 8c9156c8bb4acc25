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
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The texts that a policy is made of: a file or none, and what is put on top of it. What comes later wins key by key; an
 * endpoint's entry is one key. Nothing is judged before {@link #policy()}, which says all that is wrong at once:
 *
 * <pre>{@code
 * Policy policy = PolicyFile.read(Path.of("/etc/hangup.yaml"))
 *         .withOverrides(Map.of("hangup.grace", "50ms"), "init-param")
 *         .policy();
 * }</pre>
 *
 * <p>A file is one YAML 1.2 document in UTF-8 of at most 1 MiB, without anchors, aliases and tags. Unknown and duplicate keys are
 * errors. An empty file is the defaults. Immutable; any thread may use it.
 */
public final class PolicyFile {

    private final List<Layer> layers;

    private interface Layer {
        void read(PolicyBuilder builder, Problems problems);
    }

    private PolicyFile(List<Layer> layers) {
        this.layers = List.copyOf(layers);
    }

    /** No file: the defaults. */
    public static PolicyFile none() {
        return new PolicyFile(List.of());
    }

    /** Reads a file at once; that it is not there or cannot be read is an error of {@link #policy()}. */
    public static PolicyFile read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return read(file.toString(), in);
        } catch (NoSuchFileException missing) {
            return unusable(file.toString(), "no such file");
        } catch (IOException unreadable) {
            return unusable(file.toString(), "cannot be read: " + unreadable);
        }
    }

    /**
     * Reads a stream at once, for instance that of a resource on the class path. Does not close it.
     *
     * @param source what errors call it
     */
    public static PolicyFile read(String source, InputStream in) {
        try {
            byte[] bytes = in.readNBytes(YamlReader.MOST + 1);
            if (bytes.length > YamlReader.MOST) {
                return unusable(source, "larger than 1 MiB");
            }
            return decode(source, bytes);
        } catch (IOException unreadable) {
            return unusable(source, "cannot be read: " + unreadable);
        }
    }

    /**
     * Takes a text.
     *
     * @param source what errors call it
     */
    public static PolicyFile parse(String source, String yaml) {
        return new PolicyFile(List.of((builder, problems) -> PolicyDocument.read(source, yaml, builder, problems)));
    }

    /**
     * Puts parameters on top. Their names, each with or without {@code hangup.} in front: {@code mode}, {@code half-close},
     * {@code zone}, {@code deadline} (the default one), every key of the section {@code settings}, and {@code policy}, which
     * holds a whole document and goes before the others. {@code config} and {@code enabled} are for whoever looks for the file
     * and are passed over. Any other name is an error.
     *
     * @param place what errors call the place where they stand, such as {@code init-param}
     */
    public PolicyFile withOverrides(Map<String, String> params, String place) {
        Map<String, String> copy = Map.copyOf(params);
        List<Layer> more = new ArrayList<>(layers);
        more.add((builder, problems) -> Overrides.read(copy, place, builder, problems));
        return new PolicyFile(more);
    }

    /**
     * Makes the policy.
     *
     * @throws PolicyException if anything is wrong; it holds every error of every text
     */
    public Policy policy() {
        return policy(InstantSource.system());
    }

    /** As {@link #policy()}, with another clock to tell which window is in force. */
    public Policy policy(InstantSource clock) {
        PolicyBuilder builder = Policy.builder().clock(clock);
        Problems problems = new Problems();
        for (Layer layer : layers) {
            layer.read(builder, problems);
        }
        problems.throwIfAny();
        return builder.build();
    }

    private static PolicyFile unusable(String source, String problem) {
        return new PolicyFile(
                List.of((builder, problems) -> problems.unusable(source, problem, "a readable policy file")));
    }

    private static PolicyFile decode(String source, byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CoderResult result = decoder.decode(in, out, true);
        out.flip();
        if (!result.isError()) {
            return parse(source, out.toString());
        }
        PolicyProblem problem = PolicyProblem.after(source, out.toString(), "not UTF-8", "one YAML document in UTF-8");
        return new PolicyFile(List.of((builder, problems) -> problems.add(problem)));
    }
}
