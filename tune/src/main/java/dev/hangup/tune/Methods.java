package dev.hangup.tune;

import java.nio.charset.StandardCharsets;

/** The methods' names: those that are met often are always the same text. */
final class Methods {

    private static final String[] USUAL = {"GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"};

    private Methods() {}

    static String text(byte[] bytes, int from, int to) {
        for (String usual : USUAL) {
            if (is(usual, bytes, from, to)) {
                return usual;
            }
        }
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static boolean is(String name, byte[] bytes, int from, int to) {
        if (name.length() != to - from) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) != bytes[from + i]) {
                return false;
            }
        }
        return true;
    }
}
