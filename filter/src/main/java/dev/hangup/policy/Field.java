package dev.hangup.policy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A key and its value, in a file or among a filter's parameters, with the place where they stand; it turns what is wrong
 * with them into {@link Problems}.
 *
 * @param path the key with its sections in front, as errors name it; empty for a whole document
 * @param key where the key stands
 */
record Field(Problems problems, String source, String path, YamlNode key, YamlNode value) {

    /**
     * Reads a single value; nothing is accepted if it is malformed.
     *
     * @param parser throws {@link MalformedValue}, for an empty text too
     */
    <T> void value(Function<String, T> parser, Consumer<T> accept) {
        boolean single = value instanceof YamlNode.Scalar;
        try {
            // In place of a list or a section the parser is asked with nothing: it says what it would have liked.
            accept.accept(parser.apply(single ? value.shown() : ""));
        } catch (MalformedValue malformed) {
            problem(single ? malformed.problem() : "not a single value", malformed.expected());
        }
    }

    /** Reads a single value or a list of them, each as {@link #value} does. */
    <T> void values(Function<String, T> parser, Consumer<T> accept) {
        if (value instanceof YamlNode.Sequence list && !list.isEmpty()) {
            list.items().forEach(item -> new Field(problems, source, path, key, item).value(parser, accept));
        } else {
            value(parser, accept);
        }
    }

    /** The first field of that name, if this is a section and has one; what is wrong with the section is said where it is read. */
    Optional<Field> first(String name) {
        return value instanceof YamlNode.Mapping mapping
                ? mapping.pairs().stream()
                        .filter(pair -> pair.key().value().equals(name))
                        .findFirst()
                        .map(pair -> new Field(problems, source, name, pair.key(), pair.value()))
                : Optional.empty();
    }

    /** Reads a section whose keys are known. */
    void section(Keys keys) {
        each((name, field) -> keys.read(name, field), name -> path.isEmpty() ? name : path + "." + name);
    }

    /** Reads a section whose keys are names that its writer chose. */
    void names(Member member) {
        each(member, name -> path + "[" + name + "]");
    }

    /** Notes a problem of the value. */
    void problem(String problem, String expected) {
        add(value, problem, expected);
    }

    /** Notes a problem of the key. */
    void keyProblem(String problem, String expected) {
        add(key, problem, expected);
    }

    private void each(Member member, Function<String, String> paths) {
        if (value.isNothing()) {
            return;
        }
        if (!(value instanceof YamlNode.Mapping mapping)) {
            problem("not a section", "keys with values");
            return;
        }
        Map<String, Integer> lines = new HashMap<>();
        for (YamlNode.Pair pair : mapping.pairs()) {
            String name = pair.key().value();
            Field field = new Field(problems, source, paths.apply(name), pair.key(), pair.value());
            Integer first = lines.putIfAbsent(name, pair.key().line());
            if (first != null) {
                field.keyProblem("duplicate key, first on line " + first, "each key once");
            } else {
                member.read(name, field);
            }
        }
    }

    private void add(YamlNode at, String problem, String expected) {
        problems.add(new PolicyProblem(source, at.line(), at.column(), path, value.shown(), problem, expected));
    }

    /** Reads one of a section's fields. */
    interface Member {
        void read(String name, Field field);
    }
}
