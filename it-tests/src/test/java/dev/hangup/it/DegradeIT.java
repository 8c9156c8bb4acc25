package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A container in which something that the watch needs has another name: departures are seen where the kernel's table tells of
 * them, deadlines hold everywhere, one line says what was missed, and nothing is thrown into the application. The change is
 * played by a jar of Hangup that looks for a name which is not there.
 */
final class DegradeIT {

    private static final boolean TABLE = Files.exists(Path.of("/proc/self/net/tcp"));
    private static final String POLICY = """
            deadlines:
              endpoints:
                "GET /sleep": { mode: cancel }
                "GET /nap": { mode: cancel, normal: 200ms }
            """;

    @ParameterizedTest(name = "{0} has renamed {2}")
    @CsvSource({
        "TOMCAT, tomcat/TomcatInternals, getSocketWrapper,        no method org.apache.coyote.AbstractProcessor.",
        "TOMCAT, tomcat/TomcatInternals, hook,                    no field org.apache.coyote.Request.",
        "TOMCAT, tomcat/TomcatInternals, REQUEST_BODY_FULLY_READ, no constant org.apache.coyote.ActionCode.",
        "TOMCAT, tomcat/TomcatInternals, org.apache.coyote.ActionCode, java.lang.ClassNotFoundException: ",
        "JETTY,  jetty/JettyInternals,   getBytesIn,              no public method org.eclipse.jetty.io.Connection.",
        "JETTY,  jetty/JettyInternals,   org.eclipse.jetty.io.EndPoint$Wrapper, java.lang.ClassNotFoundException: "
    })
    void deadlinesHoldAndOneLineSaysWhatWasMissed(
            ContainerKind kind, String type, String name, String message, @TempDir Path directory) throws IOException {
        War war = War.in(directory.resolve("app"), SleeperServlet.class).file("WEB-INF/classes/hangup.yaml", POLICY);
        String other = name.substring(0, name.length() - 1) + '_';
        rename(war.directory().resolve("WEB-INF/lib/hangup-filter.jar"), type, name, other);
        try (Logged logged = Logged.begin();
                Container container = kind.deploy(war, 20)) {
            if (TABLE) {
                RawClient leaving = RawClient.connect(container).get("/sleep");
                await().untilAsserted(() -> assertThat(slept(container)).isEqualTo("1 0"));
                leaving.close();
                await().untilAsserted(() -> assertThat(slept(container)).isEqualTo("1 1"));
            }
            try (RawClient staying = RawClient.connect(container)) {
                assertThat(staying.get("/nap").response().status()).isEqualTo(504);
                assertThat(staying.get("/nap").response().status()).isEqualTo(504);
            }
            assertThat(logged.alarms())
                    .singleElement()
                    .asString()
                    .contains(message)
                    .contains(other);
        }
    }

    private static String slept(Container container) throws IOException {
        return RawClient.ask(container, "/slept").body();
    }

    /** In the constants of the class, where a name stands behind its length. */
    static void rename(Path jar, String type, String name, String other) throws IOException {
        try (FileSystem files = FileSystems.newFileSystem(jar)) {
            Path file = files.getPath("dev/hangup/watch/" + type + ".class");
            String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
            String before = "\u0000" + (char) name.length() + name;
            assertThat(bytes).contains(before);
            Files.writeString(
                    file, bytes.replace(before, "\u0000" + (char) other.length() + other), StandardCharsets.ISO_8859_1);
        }
    }
}
