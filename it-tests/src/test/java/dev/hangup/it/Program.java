package dev.hangup.it;

import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A program that tests run if it is there. Where it is absent the test is skipped with a reason that names the program and its
 * Debian package, or fails if the property {@value #REQUIRED} is {@code true}.
 */
public enum Program {
    NGINX("nginx", "nginx"),
    HAPROXY("haproxy", "haproxy"),
    CURL("curl", "curl"),
    NODE("node", "nodejs"),
    CHROMIUM("chromium", "chromium"),
    IP("ip", "iproute2"),
    MARIADBD("mariadbd", "mariadb-server-core"),
    PGBOUNCER("pgbouncer", "pgbouncer"),
    PROMETHEUS("prometheus", "prometheus");

    /** The system property that turns an absent program from a reason to skip into a failure. */
    static final String REQUIRED = "packages.required";

    private final String command;
    private final String debianPackage;

    Program(String command, String debianPackage) {
        this.command = command;
        this.debianPackage = debianPackage;
    }

    /** Where it is; does not return where it is not. */
    public String path() {
        return path(directories());
    }

    String path(List<Path> directories) {
        return directories.stream()
                .map(directory -> directory.resolve(command))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(this::absent)
                .toString();
    }

    private Path absent() {
        String reason = "no " + command + " on PATH; Debian's package is " + debianPackage;
        return Boolean.getBoolean(REQUIRED) ? fail(reason + ", and -D" + REQUIRED + "=true") : abort(reason);
    }

    /** PATH, and where Debian keeps servers, which is not on everybody's. */
    private static List<Path> directories() {
        List<Path> directories = new ArrayList<>();
        for (String directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            directories.add(Path.of(directory));
        }
        directories.addAll(Arrays.asList(Path.of("/usr/sbin"), Path.of("/sbin")));
        return directories;
    }
}
