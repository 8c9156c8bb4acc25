package dev.hangup.policy;

import java.util.List;
import java.util.Optional;

/**
 * Where the keys and values of a policy's text stand: for tools that rewrite a policy and leave every character as it is that they
 * do not mean. It is made from the marks of the parser that also reads the policy, and judges nothing but the YAML; whether it is
 * a policy, {@link PolicyFile#policy()} knows. Immutable.
 *
 * @param kind what is written here
 * @param text a value as it is understood, without its quotes; empty for all that is no single value
 * @param begin where it begins, in {@code char}s from the text's begin
 * @param end where it has ended; of a block, where the last value in it has ended, so that a comment after it is not part of it
 * @param members the keys of a section and their values, in the text's order
 */
public record PolicyOutline(Kind kind, String text, int begin, int end, List<Member> members) {

    /** What is written at a place. */
    public enum Kind {
        /** Nothing after the key, or {@code ~} or {@code null}, which is the same. */
        NOTHING,
        VALUE,
        LIST,
        /** A section whose keys stand below one another. */
        BLOCK,
        /** A section in braces. */
        FLOW
    }

    /** A key of a section, and what it has for a value. */
    public record Member(PolicyOutline key, PolicyOutline value) {}

    public PolicyOutline {
        members = List.copyOf(members);
    }

    /**
     * The whole document, as a section; {@link Kind#BLOCK} without members if there is none.
     *
     * @param source what errors call it
     * @throws PolicyException if the text is not one YAML document such as a policy may be
     */
    public static PolicyOutline of(String source, String yaml) {
        Problems problems = new Problems();
        YamlNode root = YamlReader.read(source, yaml, problems, Pace.atOnce());
        if (root == null) {
            problems.throwIfAny();
            throw new IllegalStateException("refused without a reason");
        }
        return new Reader(yaml).outline(root);
    }

    /** The value of the key; empty where this is no section or has no such key. */
    public Optional<PolicyOutline> at(String key) {
        return members.stream()
                .filter(member -> member.key().text().equals(key))
                .findFirst()
                .map(Member::value);
    }

    /** Turns the parser's code points into {@code char}s. */
    private record Reader(String yaml, boolean same) {

        Reader(String yaml) {
            this(yaml, yaml.chars().noneMatch(c -> Character.isSurrogate((char) c)));
        }

        private PolicyOutline outline(YamlNode node) {
            if (node instanceof YamlNode.Mapping mapping) {
                List<Member> members = mapping.pairs().stream()
                        .map(pair -> new Member(outline(pair.key()), outline(pair.value())))
                        .toList();
                return place(mapping.flow() ? Kind.FLOW : Kind.BLOCK, "", node.span(), members);
            }
            if (node instanceof YamlNode.Scalar scalar) {
                Kind kind = scalar.isNothing() ? Kind.NOTHING : Kind.VALUE;
                return place(kind, scalar.value(), node.span(), List.of());
            }
            return place(Kind.LIST, "", node.span(), List.of());
        }

        private PolicyOutline place(Kind kind, String text, YamlNode.Span span, List<Member> members) {
            return new PolicyOutline(kind, text, offset(span.begin()), offset(span.end()), members);
        }

        private int offset(int codePoints) {
            return same ? codePoints : yaml.offsetByCodePoints(0, codePoints);
        }
    }
}
