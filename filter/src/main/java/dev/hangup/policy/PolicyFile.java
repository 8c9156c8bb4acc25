package dev.hangup.policy;

import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

    /** Where the text comes from; null where it is none that could change. */
    private final @Nullable Path path;

    private final PolicyText text;
    /** What is put on top. */
    private final List<Layer> layers;

    private interface Layer {
        void read(PolicyBuilder builder, Problems problems);
    }

    private PolicyFile(@Nullable Path path, PolicyText text, List<Layer> layers) {
        this.path = path;
        this.text = text;
        this.layers = List.copyOf(layers);
    }

    /** No file: the defaults. */
    public static PolicyFile none() {
        return parse("", "");
    }

    /** Reads a file at once; that it is not there or cannot be read is an error of {@link #policy()}. */
    public static PolicyFile read(Path file) {
        return new PolicyFile(file, PolicyText.of(file), List.of());
    }

    /**
     * Reads a stream at once, for instance that of a resource on the class path. Does not close it.
     *
     * @param source what errors call it
     */
    public static PolicyFile read(String source, InputStream in) {
        return new PolicyFile(null, PolicyText.of(source, in), List.of());
    }

    /**
     * Takes a text.
     *
     * @param source what errors call it
     */
    public static PolicyFile parse(String source, String yaml) {
        return new PolicyFile(null, PolicyText.of(source, yaml), List.of());
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
        return new PolicyFile(path, text, more);
    }

    /** Whether this was read from a file, which may change. */
    public boolean isReloadable() {
        return path != null;
    }

    /** This, with the file as it is now; itself if there is no file. */
    public PolicyFile reread() {
        return path == null ? this : new PolicyFile(path, PolicyText.of(path), layers);
    }

    /** Whether the other was read from a text with the same bytes, or failed to be for the same reason. */
    public boolean hasSameText(PolicyFile other) {
        return text.isSame(other.text);
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
        return policy(clock, Pace.atOnce());
    }

    /**
     * As {@link #policy()}, with pauses, for an application that serves requests meanwhile: takes up to 1.5 s longer, and hardly delays
     * them.
     */
    public Policy policyGently() {
        return policy(InstantSource.system(), Pace.gentle());
    }

    private Policy policy(InstantSource clock, Pace pace) {
        PolicyBuilder builder = Policy.builder().clock(clock).pace(pace);
        Problems problems = new Problems();
        text.read(builder, problems);
        for (Layer layer : layers) {
            layer.read(builder, problems);
        }
        problems.throwIfAny();
        return builder.build();
    }
}
