package dev.hangup.jersey;

import java.util.List;

/** The path of an endpoint's name, put together from the templates that lead to it. */
final class PathTemplate {
    private PathTemplate() {}

    /** {@code ["/api", "reports/", "{id: [0-9]+}"]} gives {@code /api/reports/{id}}: no regular expressions, one slash between parts, none at the end. */
    static String of(List<String> parts) {
        StringBuilder path = new StringBuilder();
        for (String part : parts) {
            if (!part.startsWith("/")) {
                path.append('/');
            }
            append(part, path);
        }
        StringBuilder clean = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c != '/' || clean.isEmpty() || clean.charAt(clean.length() - 1) != '/') {
                clean.append(c);
            }
        }
        if (clean.length() > 1 && clean.charAt(clean.length() - 1) == '/') {
            clean.setLength(clean.length() - 1);
        }
        return clean.isEmpty() ? "/" : clean.toString();
    }

    /** A variable's expression may have braces of its own: {@code {year: [0-9]{4}}}. */
    private static void append(String part, StringBuilder path) {
        int depth = 0;
        boolean expression = false;
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            expression = depth > 0 && (expression || c == ':');
            if (depth == 0 || !(expression || Character.isWhitespace(c))) {
                path.append(c);
            }
        }
    }
}
