package dev.hangup.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * An endpoint's name taken apart: {@code GET /reports/{id}}. A variable stands for one segment of a path or, with literals
 * around it, for a part of one, and is never empty. A slash at the end counts neither here nor in a request's path. Immutable.
 */
final class Template {

    static final String EXPECTED = "a method and a path such as \"GET /reports/{id}\"";

    /**
     * The most specific first, in JAX-RS' order: literal characters, then number of variables. Equals are told apart by their
     * first segment that differs, the literal one first, so that the order is the same on every start.
     */
    static final Comparator<Template> MOST_SPECIFIC_FIRST = Comparator.comparingInt((Template t) -> t.literalCharacters)
            .thenComparingInt(t -> t.variables)
            .reversed()
            .thenComparing(Template::segments, Template::compareSegments)
            .thenComparing(Template::name);

    private static final int LONGEST = 1_000;
    private static final Pattern METHOD = Pattern.compile("[A-Z][A-Z0-9_-]{0,31}");
    private static final Pattern ENCODED = Pattern.compile("%[0-9A-Fa-f]{2}");
    private static final Pattern DOTS = Pattern.compile("/\\.\\.?(/|$)");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");

    private final String name;
    private final String method;
    private final List<Segment> segments;
    private final String shape;
    private final int literalCharacters;
    private final int variables;

    /** One segment as the literals between its variables: one literal and no variable, or n + 1 literals and n variables. */
    record Segment(List<String> literals) {

        boolean isLiteral() {
            return literals.size() == 1;
        }

        boolean isVariable() {
            return literals.size() == 2
                    && literals.get(0).isEmpty()
                    && literals.get(1).isEmpty();
        }

        int variables() {
            return literals.size() - 1;
        }

        String shape() {
            return isLiteral() ? literals.get(0) : String.join("{}", literals);
        }
    }

    private Template(String method, String path, List<Segment> segments) {
        this.name = method + " " + path;
        this.method = method;
        this.segments = segments;
        StringJoiner shapes = new StringJoiner("/", method + " /", "");
        int parts = 0;
        int characters = 0;
        for (Segment segment : segments) {
            shapes.add(segment.shape());
            parts += segment.variables();
            characters++;
            for (String literal : segment.literals()) {
                characters += literal.length();
            }
        }
        this.shape = shapes.toString();
        this.variables = parts;
        this.literalCharacters = characters;
    }

    static Template parse(String text) {
        int space = text.indexOf(' ');
        String method = space < 0 ? "" : text.substring(0, space);
        String path = text.substring(space + 1).strip();
        if (!path.startsWith("/") || method.isEmpty()) {
            throw new MalformedValue(text, "not an endpoint", EXPECTED);
        }
        if (!METHOD.matcher(method).matches()) {
            throw new MalformedValue(
                    text, "\"" + method + "\" is no method", "an upper-case method such as GET or POST");
        }
        if (path.length() > LONGEST) {
            throw new MalformedValue(text, "too long", "at most " + LONGEST + " characters");
        }
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '*' || c == '?' || c == ';' || Character.isISOControl(c)) {
                String problem = Character.isISOControl(c) ? "a control character" : "a \"" + c + "\"";
                throw new MalformedValue(text, problem + " in the path", "literals and {name}, which is one segment");
            }
        }
        if (ENCODED.matcher(path).find()) {
            throw new MalformedValue(
                    text, "an encoded character in the path", "the character itself: paths are compared decoded");
        }
        if (DOTS.matcher(path).find()) {
            throw new MalformedValue(text, "a \".\" or \"..\" for a segment of the path", EXPECTED);
        }
        return new Template(method, path, segments(text, path));
    }

    /** The name as it was written, with one space. */
    String name() {
        return name;
    }

    String method() {
        return method;
    }

    /** The path's segments; none for {@code /}. */
    List<Segment> segments() {
        return segments;
    }

    /** The name without its variables' names: two templates of one shape match the same requests. */
    String shape() {
        return shape;
    }

    @Override
    public String toString() {
        return name;
    }

    private static List<Segment> segments(String text, String path) {
        List<Segment> segments = new ArrayList<>();
        int end = path.endsWith("/") ? path.length() - 1 : path.length();
        for (int from = 1; from <= end && end > 0; ) {
            int slash = path.indexOf('/', from);
            int to = slash < 0 || slash > end ? end : slash;
            if (to == from) {
                throw new MalformedValue(text, "an empty segment in the path", EXPECTED);
            }
            segments.add(segment(text, path.substring(from, to)));
            from = to + 1;
        }
        return List.copyOf(segments);
    }

    private static Segment segment(String text, String segment) {
        List<String> literals = new ArrayList<>();
        int from = 0;
        for (int open = segment.indexOf('{'); open >= 0; open = segment.indexOf('{', from)) {
            int close = segment.indexOf('}', open);
            if (close < 0
                    || !VARIABLE.matcher(segment.substring(open + 1, close)).matches()) {
                throw new MalformedValue(text, "a malformed variable in \"" + segment + "\"", "a plain {name}");
            }
            if (open == from && from > 0) {
                throw new MalformedValue(text, "two variables without a literal between them", EXPECTED);
            }
            literals.add(literal(text, segment.substring(from, open)));
            from = close + 1;
        }
        literals.add(literal(text, segment.substring(from)));
        return new Segment(List.copyOf(literals));
    }

    private static String literal(String text, String literal) {
        if (literal.indexOf('}') >= 0) {
            throw new MalformedValue(text, "a \"}\" without its \"{\"", "a plain {name}");
        }
        return literal;
    }

    private static int compareSegments(List<Segment> one, List<Segment> other) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int order = Integer.compare(looseness(one.get(i)), looseness(other.get(i)));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(other.size(), one.size());
    }

    private static int looseness(Segment segment) {
        return segment.isLiteral() ? 0 : segment.isVariable() ? 2 : 1;
    }
}
