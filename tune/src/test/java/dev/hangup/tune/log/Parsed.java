package dev.hangup.tune.log;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** A line taken apart, as values. */
record Parsed(
        LineFormat.Result result,
        Instant start,
        long micros,
        Outcome outcome,
        String method,
        String path,
        LogLine line) {

    static Parsed of(Server server, String text) {
        return of(new LogFormat(server, null).lines(), text);
    }

    static Parsed of(LineFormat format, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        LogLine line = new LogLine();
        LineFormat.Result result = format.parse(bytes, 0, bytes.length, line);
        return new Parsed(
                result,
                Instant.ofEpochMilli(line.startMillis()),
                line.micros(),
                line.outcome(),
                text(bytes, line.methodFrom(), line.methodTo()),
                text(bytes, line.pathFrom(), line.pathTo()),
                line);
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    boolean parsed() {
        return result == LineFormat.Result.PARSED;
    }
}
