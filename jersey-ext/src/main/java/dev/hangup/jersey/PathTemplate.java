package dev.hangup.jersey;

import java.util.List;

/** The path of an endpoint's name, put together from the templates that lead to it. */
final class PathTemplate {
    private PathTemplate() {}

    /**
     * {@code ["/api", "reports/", "{id}"]} gives {@code /api/reports/{id}}: one slash between parts, none at the end. Regular expressions
     * stay: {@link dev.hangup.policy.Routes} leaves them out.
     */
    static String of(List<String> parts) {
        StringBuilder path = new StringBuilder();
        for (String part : parts) {
            if (!part.startsWith("/")) {
                path.append('/');
            }
            path.append(part);
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
}
