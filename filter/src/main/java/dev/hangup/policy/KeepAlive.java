package dev.hangup.policy;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * TCP keep-alive on watched connections of endpoints that cancel, while a call has them: how a host is found that vanished
 * without a FIN. Written {@code 30s/10s/3}: such a host is given up after 30 s of silence and 3 unanswered probes 10 s apart, 60 s
 * in all.
 *
 * @param idle silence before the first probe; whole seconds, 1 to 32767
 * @param interval between probes; whole seconds, 1 to 32767
 * @param count of unanswered probes; 1 to 127
 */
public record KeepAlive(Duration idle, Duration interval, int count) {
    /** What Linux takes; other systems take more. */
    private static final Duration LONGEST = Duration.ofSeconds(32767);

    private static final int MOST = 127;

    private static final Pattern FORM = Pattern.compile("([^/]*)/([^/]*)/([0-9]{1,9})");
    private static final String EXPECTED =
            "off, or idle/interval/count in whole seconds up to 32767s and a count from 1 to 127, such as 30s/10s/3";

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException if a number is out of its bounds; the message names it
     */
    public KeepAlive {
        check("idle", problem(idle));
        check("interval", problem(interval));
        check("count", problem(count));
    }

    static Optional<KeepAlive> parse(String text) {
        if (text.equals("off")) {
            return Optional.empty();
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new MalformedValue(text, text.isEmpty() ? "no value" : "not a keep-alive", EXPECTED);
        }
        Duration idle = duration(text, "idle", matcher.group(1));
        Duration interval = duration(text, "interval", matcher.group(2));
        int count = Integer.parseInt(matcher.group(3));
        refuse(text, "count", problem(count));
        return Optional.of(new KeepAlive(idle, interval, count));
    }

    private static Duration duration(String text, String name, String part) {
        Duration duration;
        try {
            duration = Durations.parse(part);
        } catch (MalformedValue malformed) {
            throw new MalformedValue(text, name + ": " + malformed.problem(), EXPECTED);
        }
        refuse(text, name, problem(duration));
        return duration;
    }

    private static void refuse(String text, String name, @Nullable String problem) {
        if (problem != null) {
            throw new MalformedValue(text, name + ": " + problem, EXPECTED);
        }
    }

    private static void check(String name, @Nullable String problem) {
        if (problem != null) {
            throw new IllegalArgumentException("keepAlive." + name + ": " + problem);
        }
    }

    private static @Nullable String problem(Duration duration) {
        if (duration.toNanosPart() != 0) {
            return "not whole seconds";
        }
        boolean within = duration.compareTo(Duration.ZERO) > 0 && duration.compareTo(LONGEST) <= 0;
        return within ? null : "not from 1s to " + LONGEST.toSeconds() + "s";
    }

    private static @Nullable String problem(int count) {
        return count >= 1 && count <= MOST ? null : "not from 1 to " + MOST;
    }
}
