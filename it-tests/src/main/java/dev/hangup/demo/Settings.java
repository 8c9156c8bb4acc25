package dev.hangup.demo;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the user asked for with {@code -Ddemo.<name>=<value>}.
 *
 * @param scale the size of the demo: 1 is 30 s, 5 s and 256 connections
 * @param keep whether the server stays up afterwards
 * @param port where the server listens; 0 for any free port
 * @param json where the table goes as JSON
 * @param seed of the callers' arrivals
 * @param app of what the application is made
 */
record Settings(
        double scale, boolean keep, int port, @Nullable Path json, long seed, App app) {
    private static final String PREFIX = "demo.";
    private static final Set<String> NAMES =
            new TreeSet<>(Set.of("demo.scale", "demo.keep", "demo.port", "demo.json", "demo.seed", "demo.app"));

    /** The same reports at the same paths. */
    enum App {
        SERVLET,
        JERSEY
    }

    /** A typical draw: its slow requests, and all of them, come as often as the arithmetic says. Others go a few points astray. */
    private static final String TYPICAL_SEED = "426";

    /** Below it the callers' patience is less than the 250 ms that HikariCP waits at least. */
    private static final double SMALLEST = 0.05;

    /**
     * Reads all properties that begin with {@code demo.}
     *
     * @throws Refusal if a value or a name is wrong
     */
    static Settings of(Properties properties) {
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(PREFIX) && !NAMES.contains(name)) {
                throw new Refusal(
                        Refusal.ASKED_WRONG, "-D" + name + " is unknown; expected one of " + String.join(", ", NAMES));
            }
        }
        return new Settings(
                scale(properties.getProperty("demo.scale", "0.1")),
                keep(properties.getProperty("demo.keep", "false")),
                port(properties.getProperty("demo.port", "8080")),
                json(properties.getProperty("demo.json")),
                seed(properties.getProperty("demo.seed", TYPICAL_SEED)),
                app(properties.getProperty("demo.app", "servlet")));
    }

    private static double scale(String value) {
        try {
            double scale = Double.parseDouble(value);
            if (scale >= SMALLEST && scale <= 1) {
                return scale;
            }
        } catch (NumberFormatException notANumber) {
            throw wrong("scale", value, "a number from 0.05 to 1", notANumber);
        }
        throw wrong("scale", value, "a number from 0.05 to 1", null);
    }

    /** A bare {@code -Ddemo.keep} has the value true in Maven and none in java. */
    private static boolean keep(String value) {
        return switch (value) {
            case "", "true" -> true;
            case "false" -> false;
            default -> throw wrong("keep", value, "true or false", null);
        };
    }

    private static int port(String value) {
        try {
            int port = Integer.parseInt(value);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException notANumber) {
            throw wrong("port", value, "a number from 0 to 65535", notANumber);
        }
        throw wrong("port", value, "a number from 0 to 65535", null);
    }

    /** Looked at before the demo runs, so that its figures are not lost after it. */
    private static @Nullable Path json(@Nullable String value) {
        if (value == null) {
            return null;
        }
        String expected = "the name of a file that can be written";
        // "true" is what Maven makes of a bare -Ddemo.json
        if (value.isEmpty() || value.equals("true")) {
            throw wrong("json", value, expected, null);
        }
        try {
            Path file = Path.of(value).toAbsolutePath();
            Path folder = file.getParent();
            boolean writable = Files.exists(file)
                    ? Files.isRegularFile(file) && Files.isWritable(file)
                    : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
            if (writable) {
                return file;
            }
        } catch (InvalidPathException notAPath) {
            throw wrong("json", value, expected, notAPath);
        }
        throw wrong("json", value, expected, null);
    }

    private static long seed(String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException notANumber) {
            throw wrong("seed", value, "a whole number", notANumber);
        }
    }

    private static App app(String value) {
        return switch (value) {
            case "servlet" -> App.SERVLET;
            case "jersey" -> App.JERSEY;
            default -> throw wrong("app", value, "servlet or jersey", null);
        };
    }

    private static Refusal wrong(String name, String value, String expected, @Nullable Throwable cause) {
        String line = "-Ddemo." + name + "=" + value + ": expected " + expected;
        return cause == null ? new Refusal(Refusal.ASKED_WRONG, line) : new Refusal(Refusal.ASKED_WRONG, line, cause);
    }
}
