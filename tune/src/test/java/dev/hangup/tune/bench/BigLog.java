package dev.hangup.tune.bench;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/** A log as a busy server's: combined lines with their duration in microseconds, most of them with a path of their own. */
final class BigLog {

    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);
    private static final String[] PATHS = {"/reports/", "/orders/", "/users/%d/cart/", "/assets/img/"};
    private static final String[] AGENTS = {
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148",
        "curl/8.5.0"
    };

    private BigLog() {}

    static void write(Path plain, Path gzip, long bytes) throws IOException {
        Random random = new Random(42);
        long second = Instant.parse("2026-11-02T00:00:00Z").getEpochSecond();
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(plain), 1 << 20);
                OutputStream packed = new GZIPOutputStream(Files.newOutputStream(gzip), 1 << 16)) {
            StringBuilder block = new StringBuilder();
            for (long written = 0; written < bytes; second++) {
                block.setLength(0);
                String stamp = STAMP.format(Instant.ofEpochSecond(second));
                for (int i = 0; i < 25; i++) {
                    line(block, stamp, random);
                }
                byte[] text = block.toString().getBytes(StandardCharsets.US_ASCII);
                out.write(text);
                packed.write(text);
                written += text.length;
            }
        }
    }

    private static void line(StringBuilder to, String stamp, Random random) {
        int path = random.nextInt(PATHS.length);
        int id = random.nextInt(1_000_000);
        int status = random.nextInt(200) == 0 ? 503 : random.nextInt(30) == 0 ? 404 : 200;
        long micros = (long) (-Math.log(1 - random.nextDouble()) * (50_000 + path * 200_000L));
        to.append("10.")
                .append(random.nextInt(256))
                .append('.')
                .append(random.nextInt(256))
                .append(".7 - - [");
        to.append(stamp)
                .append("] \"GET ")
                .append(PATHS[path].replace("%d", String.valueOf(id % 977)))
                .append(id);
        to.append("?page=")
                .append(random.nextInt(9))
                .append(" HTTP/1.1\" ")
                .append(status)
                .append(' ');
        to.append(random.nextInt(100_000)).append(" \"https://www.example.com/start\" \"");
        to.append(AGENTS[random.nextInt(AGENTS.length)])
                .append("\" ")
                .append(micros)
                .append('\n');
    }
}
