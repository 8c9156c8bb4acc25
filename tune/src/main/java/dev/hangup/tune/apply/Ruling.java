package dev.hangup.tune.apply;

import java.time.Duration;
import java.util.Locale;

/**
 * What becomes of one piece of advice.
 *
 * @param from the value in force
 * @param to the value from now on; the same where it is kept
 * @param reason for a person to read
 */
public record Ruling(Advice advice, Duration from, Duration to, Course course, String reason) {

    /** What is done. */
    public enum Course {
        RAISE,
        LOWER,
        KEEP,
        /** The file has no place for it. */
        SKIP;

        /** As it is written in JSON: {@code raise}. */
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether the file is to say something else than before. */
    public boolean changes() {
        return course == Course.RAISE || course == Course.LOWER;
    }

    /** The value in force and, where it changes, the new one: {@code 1.5s to 2.9s}. */
    public String values() {
        return WrittenValue.of(from) + (changes() ? " to " + WrittenValue.of(to) : "");
    }

    Ruling skip(String why) {
        return new Ruling(advice, from, from, Course.SKIP, why);
    }
}
