package dev.hangup.tune;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Paths as a server sees them. */
final class Paths {

    private Paths() {}

    /** Without parameters, and decoded once; what is no encoding stays. */
    static String decoded(String path) {
        String plain = path.indexOf(';') < 0 ? path : path.replaceAll(";[^/]*", "");
        if (plain.indexOf('%') < 0) {
            return plain;
        }
        byte[] bytes = plain.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream decoded = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            int high = bytes[i] == '%' && i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(bytes[i + 2], 16);
            if (low < 0) {
                decoded.write(bytes[i]);
            } else {
                decoded.write(high << 4 | low);
                i += 2;
            }
        }
        return decoded.toString(StandardCharsets.UTF_8);
    }
}
