package dev.hangup.policy;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong in a policy, written so that its reader can mend it without looking anything up.
 *
 * @param source where the text came from: a file's name, or {@code init-param}
 * @param line the line in the source, from 1; 0 where the source has no lines (an init-param, a file that cannot be read)
 * @param column the column in that line, from 1; 0 where the line is 0
 * @param key the key with its section in front, such as {@code settings.grace}; empty where the whole source is meant
 * @param found the value that was found; null where there is none to show
 * @param problem what is wrong with it
 * @param expected what would have been right; empty where the problem says it all
 */
public record PolicyProblem(
        String source,
        int line,
        int column,
        String key,
        @Nullable String found,
        String problem,
        String expected) {

    private static final int LONGEST_SHOWN = 100;

    /** The problem as one line: place, key, value found, problem, what was expected. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(source);
        if (line > 0) {
            text.append(", line ")
                    .append(line)
                    .append(", column ")
                    .append(column)
                    .append(':');
        } else if (key.isEmpty()) {
            text.append(':');
        }
        if (!key.isEmpty()) {
            text.append(' ').append(printable(key));
            if (found != null) {
                text.append(" = \"").append(printable(found)).append('"');
            }
            text.append(':');
        }
        text.append(' ').append(problem);
        if (!expected.isEmpty()) {
            text.append("; expected ").append(expected);
        }
        return text.toString();
    }

    /** A problem that begins after the given part of a source. */
    static PolicyProblem after(String source, String before, String problem, String expected) {
        int begin = 0;
        int line = 1;
        for (int i = 0; i < before.length(); i++) {
            char c = before.charAt(i);
            // As the parser counts: a return alone ends a line, too.
            boolean pair = c == '\r' && i + 1 < before.length() && before.charAt(i + 1) == '\n';
            if (c == '\n' || (c == '\r' && !pair)) {
                begin = i + 1;
                line++;
            }
        }
        int column = 1 + before.codePointCount(begin, before.length());
        return new PolicyProblem(source, line, column, "", null, problem, expected);
    }

    /** The text on one line and of bearable length: it goes into logs, and it is whatever somebody typed. */
    static String printable(String text) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (i == LONGEST_SHOWN) {
                return shown.append("...").toString();
            }
            char c = text.charAt(i);
            boolean odd =
                    Character.isISOControl(c) || Character.getType(c) == Character.FORMAT || c == 0x2028 || c == 0x2029;
            shown.append(odd ? '?' : c);
        }
        return shown.toString();
    }
}
