package dev.hangup;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * How long a body the application has announced, and how much of it the application has written. A body that is whole by its
 * length is an answer, closed or not: the container may have sent it, and whoever leaves then has not given up. Written by the
 * application's threads, one at a time, as the streams are.
 */
final class BodyLength {
    private static final String HEADER = "content-length";
    private static final long UNKNOWN = -1;

    private long announced = UNKNOWN;
    private long written;
    /** Read by the watcher and the cancellers. */
    private volatile boolean whole;

    static boolean isHeader(String name) {
        return name.length() == HEADER.length() && name.toLowerCase(Locale.ROOT).equals(HEADER);
    }

    /** @param length negative: it is not known */
    void announce(long length) {
        announced = length;
    }

    /** What is no number is the container's to judge. */
    void announce(String length) {
        try {
            announced = Long.parseLong(length.strip());
        } catch (NumberFormatException e) {
            announced = UNKNOWN;
        }
    }

    void wrote(long bytes) {
        written += bytes;
        if (announced > 0 && written >= announced) {
            whole = true;
        }
    }

    /** Counts text in the encodings in which it can be counted; any other leaves the body to be closed. */
    void wrote(CharSequence text, String encoding) {
        if (encoding.equalsIgnoreCase(StandardCharsets.UTF_8.name())) {
            wrote(utf8(text));
        } else if (encoding.equalsIgnoreCase(StandardCharsets.ISO_8859_1.name())
                || encoding.equalsIgnoreCase(StandardCharsets.US_ASCII.name())) {
            wrote(text.length());
        }
    }

    void reset() {
        resetBody();
        announced = UNKNOWN;
    }

    void resetBody() {
        written = 0;
        whole = false;
    }

    boolean isWhole() {
        return whole;
    }

    /** A surrogate is half of a character of four bytes; a lone one is written as one byte, so this may count too much only of broken text. */
    private static long utf8(CharSequence text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }
}
