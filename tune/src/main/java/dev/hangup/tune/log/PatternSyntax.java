package dev.hangup.tune.log;

import java.util.ArrayList;
import java.util.List;

/** Reads a pattern as a server's configuration has it into the fields and literals of its lines. */
final class PatternSyntax {

    private final Server server;
    private final List<Field> fields = new ArrayList<>();
    /** One more than fields: what stands before, between and after them. */
    private final List<StringBuilder> literals = new ArrayList<>();

    private boolean stampIsEnd;

    private PatternSyntax(Server server) {
        this.server = server;
        this.stampIsEnd = server.stampIsEnd();
        literals.add(new StringBuilder());
    }

    /**
     * The format of a pattern's lines.
     *
     * @param more whether a line may go on after the last field
     * @throws IllegalArgumentException if the pattern cannot be read, or its lines do not say what is needed
     */
    static PatternFormat format(Server server, String pattern, boolean more) {
        PatternSyntax syntax = new PatternSyntax(server);
        if (server.isNginx()) {
            syntax.nginx(pattern);
        } else {
            syntax.percent(pattern);
        }
        syntax.check(pattern);
        return syntax.build(more);
    }

    private void nginx(String pattern) {
        for (int at = 0; at < pattern.length(); ) {
            char c = pattern.charAt(at);
            if (c != '$') {
                literal(c);
                at++;
                continue;
            }
            int from = at + 1;
            boolean braces = from < pattern.length() && pattern.charAt(from) == '{';
            from += braces ? 1 : 0;
            int to = from;
            while (to < pattern.length() && isNameCharacter(pattern.charAt(to))) {
                to++;
            }
            field(Codes.nginx(pattern.substring(from, to)));
            at = to + (braces ? 1 : 0);
        }
    }

    private static boolean isNameCharacter(char c) {
        return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    private void percent(String pattern) {
        for (int at = 0; at < pattern.length(); ) {
            char c = pattern.charAt(at++);
            if (c != '%' || at == pattern.length()) {
                literal(c);
                continue;
            }
            // Conditions and which of several requests: %!200,304{Referer}i, %>s.
            while (at < pattern.length() && "!<>,^0123456789".indexOf(pattern.charAt(at)) >= 0) {
                at++;
            }
            String argument = "";
            if (at < pattern.length() && pattern.charAt(at) == '{') {
                int close = pattern.indexOf('}', at);
                if (close < 0) {
                    throw new IllegalArgumentException("pattern " + pattern + ": a { without its }");
                }
                argument = pattern.substring(at + 1, close);
                at = close + 1;
            }
            boolean named = server == Server.UNDERTOW && !argument.isEmpty();
            char code = named ? '{' : at < pattern.length() ? pattern.charAt(at++) : '%';
            if (code == '%') {
                literal('%');
            } else if (code == 't') {
                time(argument);
            } else {
                field(Codes.percent(server, code, argument));
            }
        }
    }

    private void time(String argument) {
        String form = argument;
        if (form.startsWith("begin")) {
            stampIsEnd = false;
            form = form.substring(5);
        } else if (form.startsWith("end")) {
            stampIsEnd = true;
            form = form.substring(3);
        }
        form = form.startsWith(":") ? form.substring(1) : form;
        switch (form) {
            case "sec" -> field(Field.EPOCH_SECONDS);
            case "msec" -> field(Field.EPOCH_MILLIS);
            case "yyyy-MM-dd'T'HH:mm:ssXXX",
                    "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
                    "yyyy-MM-dd'T'HH:mm:ssZ",
                    "yyyy-MM-dd'T'HH:mm:ss.SSSZ",
                    "yyyy-MM-dd HH:mm:ssZ",
                    "%Y-%m-%dT%H:%M:%S%z",
                    "%FT%T%z" -> field(Field.ISO_TIME);
            case "" -> {
                literal('[');
                field(Field.COMMON_TIME);
                literal(']');
            }
            default ->
                throw new IllegalArgumentException("pattern: %{" + argument + "}t cannot be read;"
                        + " expected %t, or %{sec}t, %{msec}t or an ISO form with its offset");
        }
    }

    private void literal(char c) {
        literals.get(literals.size() - 1).append(c);
    }

    private void field(Field field) {
        fields.add(field);
        literals.add(new StringBuilder());
    }

    private void check(String pattern) {
        for (int i = 1; i < fields.size(); i++) {
            if (literals.get(i).isEmpty()) {
                throw new IllegalArgumentException("pattern " + pattern + ": two fields with nothing between them");
            }
        }
        if (fields.stream().noneMatch(Field::isDuration)) {
            throw new IllegalArgumentException(
                    "the pattern has no duration field: " + pattern + System.lineSeparator() + Server.advice(server));
        }
        if (fields.stream().noneMatch(Field::isTime)) {
            throw new IllegalArgumentException("the pattern has no time: " + pattern);
        }
        if (!fields.contains(Field.STATUS)) {
            throw new IllegalArgumentException("the pattern has no status: " + pattern);
        }
    }

    private PatternFormat build(boolean more) {
        List<PatternFormat.Step> steps = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            String after = literals.get(i + 1).toString();
            boolean quoted = literals.get(i).toString().endsWith("\"") && after.startsWith("\"");
            steps.add(new PatternFormat.Step(fields.get(i), after, quoted));
        }
        return new PatternFormat(literals.get(0).toString(), steps, stampIsEnd, more);
    }
}
