package dev.hangup.tune.prometheus;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/** The value of a request's {@code Authorization}, from a file: on a command line everybody on the machine could read it. */
public record Credentials(String header) {

    /** Nobody in particular. */
    public static final Credentials NONE = new Credentials("");

    /** A file that holds a token and nothing else. */
    public static Credentials bearer(Path file) {
        return new Credentials("Bearer " + word(file));
    }

    /** A file that holds a user and a password with a colon between them. */
    public static Credentials basic(Path file) {
        String pair = word(file);
        if (pair.indexOf(':') < 1) {
            throw new Unavailable(file + ": expected a user and a password as user:password");
        }
        return new Credentials("Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }

    private static String word(Path file) {
        try {
            String text = Files.readString(file).strip();
            if (text.isEmpty() || text.lines().count() > 1) {
                throw new Unavailable(file + ": expected one line");
            }
            return text;
        } catch (IOException unreadable) {
            throw new Unavailable(file + " cannot be read: " + unreadable, unreadable);
        }
    }

    /** Never the secret itself. */
    @Override
    public String toString() {
        return header.isEmpty() ? "no credentials" : header.substring(0, header.indexOf(' ')) + " ...";
    }
}
