package dev.hangup.tune.bench;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How fast logs are read, beside mawk counting the same: calls of each endpoint that are no errors, by the first candidate that they would
 * have finished within. Each runs in a process of its own, in turns; the best of three counts. Fails if the counts differ.
 */
public final class SpeedBench {

    private static final int TURNS = 3;
    private static final String PROGRAM = """
            {
              path = $7; query = index(path, "?"); if (query) path = substr(path, 1, query - 1)
              if (path ~ /^\\/reports\\/[^\\/]+$/) e = "GET /reports/{id}"
              else if (path ~ /^\\/orders\\/[^\\/]+$/) e = "GET /orders/{id}"
              else if (path ~ /^\\/users\\/[^\\/]+\\/cart\\/[^\\/]+$/) e = "GET /users/{user}/cart/{id}"
              else { unmatched++; next }
              if ($9 >= 500) { errors[e]++; next }
              samples[e]++
              for (i = 0; i <= 15; i++) if ($NF <= 1500000 + i * 100000) { within[e, i]++; break }
            }
            END { for (e in samples) print e "\\t" samples[e] "\\t" within[e, 0] }
            """;

    private SpeedBench() {}

    /**
     * Makes the log and runs the turns.
     *
     * @param args megabytes, and the directory to put the log into
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        long bytes = Long.parseLong(args[0]) << 20;
        Path directory = Files.createDirectories(Path.of(args[1]));
        Path plain = directory.resolve("access.log");
        Path gzip = directory.resolve("access.log.gz");
        BigLog.write(plain, gzip, bytes);
        double size = Files.size(plain) / 1e6;
        System.out.printf("%.0f MB of lines, %.0f MB as gzip%n", size, Files.size(gzip) / 1e6);
        List<String> mawk = List.of("mawk", PROGRAM, plain.toString());
        double best = Double.MAX_VALUE;
        double bestPlain = Double.MAX_VALUE;
        double bestGzip = Double.MAX_VALUE;
        for (int turn = 0; turn < TURNS; turn++) {
            Timed counted = Timed.run(mawk);
            Timed read = Timed.run(tune(plain));
            Timed unpacked = Timed.run(tune(gzip));
            check(counted.output(), read.output());
            check(counted.output(), unpacked.output());
            best = Math.min(best, counted.seconds());
            bestPlain = Math.min(bestPlain, read.seconds());
            bestGzip = Math.min(bestGzip, unpacked.seconds());
        }
        System.out.printf("mawk, plain                %6.2f s %6.0f MB/s%n", best, size / best);
        System.out.printf(
                "hangup-tune, plain         %6.2f s %6.0f MB/s, %.2f of mawk%n",
                bestPlain, size / bestPlain, best / bestPlain);
        System.out.printf(
                "hangup-tune, gzip          %6.2f s %6.0f MB/s, %.2f of plain%n",
                bestGzip, size / bestGzip, bestPlain / bestGzip);
        System.out.println("hangup-tune ran with 256 MB of heap (-Xmx256m); the counts are the same");
    }

    private static List<String> tune(Path log) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(
                java,
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.hangup.tune.Tune",
                "recommend",
                "--json",
                "--format=tomcat",
                "--template=GET /reports/{id}",
                "--template=GET /orders/{id}",
                "--template=GET /users/{user}/cart/{id}",
                "--floor=1.5s",
                "--cap=3s",
                log.toString());
    }

    private static void check(String counted, String json) throws IOException {
        Map<String, String> expected = new TreeMap<>();
        for (String line : counted.lines().toList()) {
            String[] columns = line.split("\t", -1);
            double dropped = 1 - Double.parseDouble(columns[2]) / Double.parseDouble(columns[1]);
            expected.put(columns[0], "%s %.9f".formatted(columns[1], dropped));
        }
        Map<String, String> found = new TreeMap<>();
        for (Object entry : JSON.std.listFrom(json)) {
            if (entry instanceof Map<?, ?> map && map.get("drop_rates") instanceof List<?> rates) {
                rates.forEach(each -> {
                    if (each instanceof Map<?, ?> rate
                            && Double.valueOf(1.5).equals(rate.get("value"))
                            && rate.get("drop_rate") instanceof Number dropped) {
                        String counts = "%s %.9f".formatted(map.get("samples"), dropped.doubleValue());
                        found.put(String.valueOf(map.get("endpoint")), counts);
                    }
                });
            }
        }
        if (!found.equals(expected)) {
            throw new IllegalStateException("the counts differ: " + expected + " by mawk, " + found);
        }
    }

    private record Timed(double seconds, String output) {

        static Timed run(List<String> command) throws IOException, InterruptedException {
            Path output = Files.createTempFile("hangup-tune-bench", ".out");
            long begin = System.nanoTime();
            Process process = new ProcessBuilder(new ArrayList<>(command))
                    .redirectOutput(output.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            int code = process.waitFor();
            double seconds = (System.nanoTime() - begin) / 1e9;
            String text = Files.readString(output, StandardCharsets.UTF_8);
            Files.delete(output);
            if (code != 0) {
                throw new IllegalStateException(command.get(0) + " ended with " + code);
            }
            return new Timed(seconds, text);
        }
    }
}
