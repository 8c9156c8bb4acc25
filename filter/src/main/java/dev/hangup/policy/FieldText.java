package dev.hangup.policy;

/** What header values are made of (RFC 9110, section 5.6). Reads without exceptions: callers may send anything. */
final class FieldText {

    /** In place of a number that there is not. */
    static final long NONE = -1;

    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

    private FieldText() {}

    /** The number that these ASCII digits write; {@link #NONE} for anything else, and for more than a long can hold. */
    static long number(String digits) {
        if (digits.isEmpty()) {
            return NONE;
        }
        long number = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9 || number > (Long.MAX_VALUE - digit) / 10) {
                return NONE;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /** Without the spaces and tabs around it. */
    static String trim(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isSpace(text.charAt(from))) {
            from++;
        }
        while (to > from && isSpace(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }

    /** Whether this can be the name of a header. */
    static boolean isToken(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> isTokenPart((char) c));
    }

    static boolean isTokenPart(char c) {
        return (c >= '0' && c <= '9')
                || (c >= 'A' && c <= 'Z')
                || (c >= 'a' && c <= 'z')
                || TOKEN_MARKS.indexOf(c) >= 0;
    }
}
