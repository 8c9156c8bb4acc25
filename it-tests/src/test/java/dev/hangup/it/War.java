package dev.hangup.it;

import dev.hangup.Hangup;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Objects;

/**
 * An exploded WAR: the packaged {@code hangup-filter.jar}, as users get it, in {@code WEB-INF/lib}, and some of the tests'
 * classes in {@code WEB-INF/classes}. Those classes are loaded anew by the application's own loader: they share no statics
 * with the test, and are spoken to over HTTP alone.
 */
record War(Path directory) {

    private static final String EMPTY_WEB_XML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0"/>
            """;

    /**
     * Writes the WAR with an empty {@code web.xml}.
     *
     * @param directory an empty directory, for example JUnit's {@code @TempDir}
     * @param classes what goes into {@code WEB-INF/classes}, each without its nested classes
     */
    static War in(Path directory, Class<?>... classes) throws IOException {
        Path webInf = directory.resolve("WEB-INF");
        Path lib = Files.createDirectories(webInf.resolve("lib"));
        Files.copy(hangupJar(), lib.resolve("hangup-filter.jar"));
        for (Class<?> type : classes) {
            String name = type.getName().replace('.', '/') + ".class";
            Path target = webInf.resolve("classes").resolve(name);
            Files.createDirectories(Objects.requireNonNull(target.getParent()));
            try (InputStream bytes = type.getResourceAsStream("/" + name)) {
                Files.copy(Objects.requireNonNull(bytes, name), target);
            }
        }
        return new War(directory).webXml(EMPTY_WEB_XML);
    }

    /** Replaces the {@code WEB-INF/web.xml}. */
    War webXml(String xml) throws IOException {
        return file("WEB-INF/web.xml", xml);
    }

    /** Adds a text file, for example {@code WEB-INF/classes/hangup.yaml}, or replaces it. */
    War file(String path, String text) throws IOException {
        Path target = directory.resolve(path);
        Files.createDirectories(Objects.requireNonNull(target.getParent()));
        Files.writeString(target, text, StandardCharsets.UTF_8);
        return this;
    }

    /** The jar under test: during {@code mvn verify} the one that the module {@code filter} has packaged and shaded. */
    private static Path hangupJar() {
        CodeSource source = Hangup.class.getProtectionDomain().getCodeSource();
        Path jar = Path.of(URI.create(source.getLocation().toString()));
        if (!Files.isRegularFile(jar)) {
            throw new IllegalStateException("the WAR needs the packaged jar, and there is only " + jar
                    + ": run the tests by mvn verify, not by mvn test");
        }
        return jar;
    }
}
