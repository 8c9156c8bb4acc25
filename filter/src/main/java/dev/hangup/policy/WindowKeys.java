package dev.hangup.policy;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the section {@code windows}, and gives the windows' names to the sections in which each may have a value. */
final class WindowKeys {

    /** Keys of entries and sources, which no window may hide. */
    private static final Set<String> RESERVED = Set.of(
            Windows.NORMAL_NAME,
            "defaults",
            "mode",
            "interrupt",
            "escalate-after",
            "stuck-after",
            "covers",
            "half-close",
            "host");

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");
    private static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");
    private static final Pattern NUMBERS = Pattern.compile("([0-9]{1,2})(?:-([0-9]{1,2}))?");
    private static final Pattern DAY_NAMES = Pattern.compile("([a-z]{3})(?:-([a-z]{3}))?");

    private WindowKeys() {}

    /** Adds a key for {@code normal} and one for each window that the builder knows. */
    static Keys addTo(Keys keys, PolicyBuilder builder, BiConsumer<String, Duration> accept) {
        keys.on(
                Windows.NORMAL_NAME,
                field -> field.value(Durations::parse, d -> accept.accept(Windows.NORMAL_NAME, d)));
        for (String name : builder.windows()) {
            keys.on(name, field -> field.value(Durations::parse, d -> accept.accept(name, d)));
        }
        return builder.windows().isEmpty() ? keys.note("there are no windows") : keys;
    }

    static void read(Field section, PolicyBuilder builder) {
        section.names((name, field) -> {
            if (RESERVED.contains(name) || !NAME.matcher(name).matches()) {
                field.keyProblem(
                        RESERVED.contains(name) ? "reserved" : "no name of a window",
                        "a letter, then letters, digits, _ or -, at most 64, and none of "
                                + String.join(", ", RESERVED.stream().sorted().toList()));
            } else if (builder.windows().size() == Windows.MOST) {
                field.keyProblem("one window too many", "at most " + Windows.MOST);
            } else {
                window(name, field, builder);
            }
        });
    }

    private static void window(String name, Field field, PolicyBuilder builder) {
        Window[] window = {Window.EVER};
        boolean[] named = {false};
        field.section(new Keys()
                .on("minutes", f -> {
                    named[0] = true;
                    f.values(
                            text -> numbers(text, Window.MINUTES, "minutes of the hour, such as 0-7 or 30"),
                            range -> window[0] = window[0].minutes(range));
                })
                .on("hours", f -> {
                    named[0] = true;
                    f.values(
                            text -> numbers(text, Window.HOURS, "hours of the day, such as 7-9 or 22"),
                            range -> window[0] = window[0].hours(range));
                })
                .on("days", f -> {
                    named[0] = true;
                    f.values(WindowKeys::days, range -> window[0] = window[0].days(range));
                }));
        if (!window[0].isEver()) {
            builder.window(name, window[0]);
        } else {
            builder.knownWindow(name); // what is wrong is said once, and not again where the name is used
            if (!named[0]) {
                field.keyProblem("a window of all time", "minutes, hours or days");
            }
        }
    }

    private static Window.Range numbers(String text, int size, String expected) {
        Matcher matcher = NUMBERS.matcher(text);
        String right = expected + ", from 0 to " + (size - 1);
        if (!matcher.matches()) {
            throw new MalformedValue(text, text.isEmpty() ? "no value" : "no range", right);
        }
        int first = Integer.parseInt(matcher.group(1));
        int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
        if (first >= size || last >= size) {
            throw new MalformedValue(text, "there is no " + Math.max(first, last), right);
        }
        return new Window.Range(first, last);
    }

    private static Window.Range days(String text) {
        String right = "days of the week, such as mon-fri or sat";
        Matcher matcher = DAY_NAMES.matcher(text);
        if (!matcher.matches()) {
            throw new MalformedValue(text, text.isEmpty() ? "no value" : "no range", right);
        }
        int first = DAYS.indexOf(matcher.group(1));
        int last = matcher.group(2) == null ? first : DAYS.indexOf(matcher.group(2));
        if (first < 0 || last < 0) {
            throw new MalformedValue(text, "unknown day", right);
        }
        return new Window.Range(first, last);
    }
}
