package dev.hangup.policy;

import java.util.List;

/** A YAML document's tree with its places, lines and columns counted from 1 (0: no place). */
sealed interface YamlNode {

    int line();

    int column();

    Span span();

    /** Whether nothing is written here: {@code key:}, {@code key: ~} or {@code key: null}. */
    default boolean isNothing() {
        return false;
    }

    /** Whether nothing is in it: nothing written, or an empty section or list. */
    default boolean isEmpty() {
        return isNothing();
    }

    /** The node as an error shows it. */
    String shown();

    /** Its span is not kept as one, because most of a large policy is scalars. */
    record Scalar(String value, boolean plain, int line, int column, int begin, int end) implements YamlNode {

        @Override
        public Span span() {
            return new Span(begin, end);
        }

        @Override
        public boolean isNothing() {
            return plain && (value.isEmpty() || value.equals("~") || value.equals("null"));
        }

        @Override
        public String shown() {
            return value;
        }
    }

    record Mapping(List<Pair> pairs, boolean flow, int line, int column, Span span) implements YamlNode {

        @Override
        public boolean isEmpty() {
            return pairs.isEmpty();
        }

        @Override
        public String shown() {
            return pairs.isEmpty() ? "{}" : "{...}";
        }
    }

    record Sequence(List<YamlNode> items, int line, int column, Span span) implements YamlNode {

        @Override
        public boolean isEmpty() {
            return items.isEmpty();
        }

        @Override
        public String shown() {
            return items.isEmpty() ? "[]" : "[...]";
        }
    }

    record Pair(Scalar key, YamlNode value) {}

    /**
     * Where a node is written, in code points from the text's begin; what follows a block and is no longer part of its last value,
     * such as a comment, does not belong to it.
     */
    record Span(int begin, int end) {

        /** Of what no text holds. */
        static final Span NONE = new Span(0, 0);
    }
}
