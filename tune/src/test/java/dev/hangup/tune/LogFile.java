package dev.hangup.tune;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Lines as Tomcat 10 writes them: stamped at the end, in microseconds. */
final class LogFile {

    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private final List<String> lines = new ArrayList<>();

    LogFile add(Instant start, String request, int status, long millis) {
        String stamp = STAMP.format(start.plusMillis(millis));
        lines.add("192.0.2.7 - - [" + stamp + "] \"" + request + " HTTP/1.1\" " + status + " 512 \"-\" \"agent/1.0\" "
                + millis * 1_000);
        return this;
    }

    List<String> lines() {
        return lines;
    }

    LogFile shuffled(long seed) {
        Collections.shuffle(lines, new Random(seed));
        return this;
    }

    Path write(Path file) throws IOException {
        return Files.write(file, lines, StandardCharsets.UTF_8);
    }
}
