package dev.hangup.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * {@code Prefer: wait=10} (RFC 7240, section 4.3): seconds, in a list of preferences of which all others are passed over. They
 * must be well-formed, because in a list that is not nobody can say what belongs to what. A {@code wait} that is said twice is
 * rejected, whatever section 2 says of the first one: two numbers are no declaration.
 */
final class PreferWait implements DeadlineHeader {

    private static final long MOST = Long.MAX_VALUE / 1_000_000_000;

    @Override
    public String name() {
        return "prefer-wait";
    }

    @Override
    public String field() {
        return "Prefer";
    }

    @Override
    public Reading read(List<String> lines) {
        String found = null;
        for (String line : lines) {
            Preferences list = new Preferences(line);
            while (list.next()) {
                if (list.isWait()) {
                    if (found != null) {
                        return Reading.REJECTED;
                    }
                    found = list.value();
                }
            }
            if (list.isMalformed()) {
                return Reading.REJECTED;
            }
        }
        if (found == null) {
            return Reading.SILENT;
        }
        long seconds = FieldText.number(found);
        return seconds > 0 && seconds <= MOST ? Reading.of(Duration.ofSeconds(seconds)) : Reading.REJECTED;
    }

    @Override
    public String format(Duration span) {
        return "wait=" + Math.max(1, span.toSeconds());
    }

    /** Nothing of a list that is not well-formed: whoever is asked would take none of it. */
    @Override
    public String rest(String line) {
        List<String> others = new ArrayList<>();
        Preferences list = new Preferences(line);
        while (list.next()) {
            if (!list.isWait()) {
                others.add(list.text());
            }
        }
        return list.isMalformed() ? "" : String.join(", ", others);
    }

    /**
     * The preferences of one line, one after the other.
     *
     * <pre>
     *   list       = [ preference ] *( "," [ preference ] )
     *   preference = pair *( ";" [ pair ] )
     *   pair       = token [ "=" ( token / quoted-string ) ]        with spaces around "=", "," and ";"
     * </pre>
     */
    private static final class Preferences {

        private final String text;
        private int at;
        /** Where the preference began. */
        private int from;

        private boolean malformed;
        private String name = "";
        private String value = "";

        Preferences(String text) {
            this.text = text;
        }

        /** The first pair of the next preference, whose parameters are passed over; false at the end, or where it is malformed. */
        boolean next() {
            skip();
            while (is(',')) {
                at++;
                skip();
            }
            from = at;
            if (at == text.length() || !pair()) {
                return false;
            }
            String first = name;
            String firstValue = value;
            while (is(';')) {
                at++;
                skip();
                boolean empty = at == text.length() || is(';') || is(',');
                if (!empty && !pair()) {
                    return false;
                }
            }
            malformed = at < text.length() && !is(',');
            name = first;
            value = firstValue;
            return !malformed;
        }

        boolean isMalformed() {
            return malformed;
        }

        boolean isWait() {
            return name.toLowerCase(Locale.ROOT).equals("wait");
        }

        /** With its parameters, as it is written. */
        String text() {
            return FieldText.trim(text.substring(from, at));
        }

        /** Empty if there is none. */
        String value() {
            return value;
        }

        private boolean pair() {
            name = token();
            value = "";
            malformed = name.isEmpty();
            skip();
            if (!malformed && is('=')) {
                at++;
                skip();
                if (is('"')) {
                    quoted();
                } else {
                    value = token();
                    malformed = value.isEmpty();
                }
                skip();
            }
            return !malformed;
        }

        private String token() {
            int from = at;
            while (at < text.length() && FieldText.isTokenPart(text.charAt(at))) {
                at++;
            }
            return text.substring(from, at);
        }

        private void quoted() {
            StringBuilder plain = new StringBuilder();
            for (at++; at < text.length() && !is('"'); at++) {
                if (is('\\') && at + 1 < text.length()) {
                    at++;
                }
                plain.append(text.charAt(at));
            }
            malformed = at == text.length();
            at = Math.min(at + 1, text.length());
            value = plain.toString();
        }

        private boolean is(char c) {
            return at < text.length() && text.charAt(at) == c;
        }

        private void skip() {
            while (at < text.length() && FieldText.isSpace(text.charAt(at))) {
                at++;
            }
        }
    }
}
