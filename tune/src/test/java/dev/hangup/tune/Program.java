package dev.hangup.tune;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A program that tests run if it is there. Where it is absent the test is skipped with a reason that names the program, which is
 * also that of its Debian package, or fails if the property {@value #REQUIRED} is {@code true}.
 */
public final class Program {

    /** The system property that turns an absent program from a reason to skip into a failure. */
    static final String REQUIRED = "packages.required";

    private Program() {}

    /** Where it is; does not return where it is not. */
    public static String path(String name) {
        String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin";
        return Stream.of(path.split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(() -> absent(name))
                .toString();
    }

    private static Path absent(String name) {
        String reason = "no " + name + " on PATH; Debian's package is " + name;
        return Boolean.getBoolean(REQUIRED) ? fail(reason + ", and -D" + REQUIRED + "=true") : abort(reason);
    }
}
