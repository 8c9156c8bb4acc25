package dev.hangup.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Scanner;

/**
 * For how long, in all, a thread of this JVM could have run and the machine had no processor for it: what no program can help.
 * Linux keeps this per thread ({@code schedstat}, second number); elsewhere it reads zero.
 */
final class RunDelay {

    private static final Path TASKS = Path.of("/proc/self/task");

    private RunDelay() {}

    static Duration of(String threadName) throws IOException {
        if (Files.isDirectory(TASKS)) {
            try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
                for (Path task : tasks) {
                    Path statistics = task.resolve("schedstat");
                    if (name(task).equals(threadName) && Files.exists(statistics)) {
                        try (Scanner numbers = new Scanner(statistics, StandardCharsets.US_ASCII)) {
                            numbers.nextLong();
                            return Duration.ofNanos(numbers.nextLong());
                        }
                    }
                }
            }
        }
        return Duration.ZERO;
    }

    private static String name(Path task) {
        try {
            return Files.readString(task.resolve("comm")).strip();
        } catch (IOException e) {
            return ""; // it has ended since the directory was read
        }
    }
}
