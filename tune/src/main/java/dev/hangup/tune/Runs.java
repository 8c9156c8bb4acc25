package dev.hangup.tune;

import dev.hangup.tune.log.LogLine;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which run a call belongs to: {@code file}, {@code hour}, {@code day}, or what the line's field {@code N} says. */
final class Runs {

    private static final int MOST = 10_000;
    private static final long HOUR = 3_600_000;
    private static final DateTimeFormatter HOURS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHXXX");

    private final String by;
    private final int field;
    private final boolean hours;
    private final ZoneId zone;
    /** Of files and fields, by number. */
    private final List<String> names = new ArrayList<>();

    private final Map<String, Integer> numbers = new HashMap<>();
    private final ByteCache<Integer> seen = new ByteCache<>();
    private long file = -1;
    /** The hour whose local day is known. */
    private long keptHour = Long.MIN_VALUE;

    private long keptDay;

    /** @throws IllegalArgumentException if it is none of the four */
    Runs(String by, ZoneId zone) {
        this.by = by;
        this.zone = zone;
        this.hours = by.equals("hour");
        this.field = by.matches("field:[1-9][0-9]{0,3}") ? Integer.parseInt(by.substring(6)) : 0;
        if (field == 0 && !List.of("file", "hour", "day").contains(by)) {
            throw new IllegalArgumentException(
                    "--run-by " + by + ": expected file, hour, day or field:N with N from 1");
        }
    }

    void beginFile(String name) {
        if (by.equals("file")) {
            file = number(name);
        }
    }

    long of(LogLine line) {
        if (field > 0) {
            return byField(line);
        }
        if (file >= 0) {
            return file;
        }
        return of(line.startMillis());
    }

    /** The run of a moment, where a run is an hour or a day. */
    long of(long startMillis) {
        return hours ? Math.floorDiv(startMillis, HOUR) : day(startMillis);
    }

    private long day(long millis) {
        // No zone begins a day within a quarter of an hour.
        long quarter = Math.floorDiv(millis, HOUR / 4);
        if (quarter != keptHour) {
            keptHour = quarter;
            keptDay = LocalDate.ofInstant(Instant.ofEpochMilli(millis), zone).toEpochDay();
        }
        return keptDay;
    }

    private long byField(LogLine line) {
        byte[] bytes = line.bytes();
        int at = line.from();
        int end = at;
        for (int i = 0; i < field; i++) {
            at = end;
            while (at < line.to() && (bytes[at] == ' ' || bytes[at] == '\t')) {
                at++;
            }
            end = at;
            while (end < line.to() && bytes[end] != ' ' && bytes[end] != '\t') {
                end++;
            }
        }
        Integer run = seen.find(bytes, at, end);
        return run != null
                ? run
                : seen.put(bytes, at, end, number(new String(bytes, at, end - at, StandardCharsets.UTF_8)));
    }

    private int number(String name) {
        int number = numbers.computeIfAbsent(name, each -> numbers.size());
        if (number == names.size()) {
            if (number == MOST) {
                throw new UnreadableInput("more than " + MOST + " runs by " + by + "; choose a coarser --run-by");
            }
            names.add(name);
        }
        return number;
    }

    String name(long run) {
        return switch (by) {
            case "hour" -> HOURS.format(Instant.ofEpochMilli(run * HOUR).atZone(zone));
            case "day" -> LocalDate.ofEpochDay(run).toString();
            default -> names.isEmpty() ? "" : names.get((int) run);
        };
    }
}
