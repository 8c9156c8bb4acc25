package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

/** All ways by which the filter comes into a WAR. In each a departure is noticed, though the container's classes are hidden. */
@EachLine
final class RegistrationIT {

    private static final String POLICY = """
            deadlines:
              endpoints:
                "GET /work": { mode: cancel }
                "GET /async": { mode: cancel }
            """;

    private static final String FILTER = """
              <filter>
                <filter-name>ours</filter-name>
                <filter-class>dev.hangup.HangupFilter</filter-class>
              </filter>
              <filter-mapping>
                <filter-name>ours</filter-name>
                <url-pattern>/*</url-pattern>
                <dispatcher>REQUEST</dispatcher>
                <dispatcher>ASYNC</dispatcher>
                <dispatcher>ERROR</dispatcher>
              </filter-mapping>
            """;

    private static final String DISABLED = """
              <context-param>
                <param-name>hangup.enabled</param-name>
                <param-value>false</param-value>
              </context-param>
            """;

    @TempDir
    private Path directory;

    private War war(Class<?>... classes) throws IOException {
        return War.in(directory.resolve("app"), classes).file("WEB-INF/classes/hangup.yaml", POLICY);
    }

    @EachContainer
    @DisplayName("case 54: by the initializer")
    void byTheInitializer(ContainerKind kind) throws IOException {
        assertWorks(kind, war(WarServlet.class), 1);
    }

    @EachContainer
    @DisplayName("case 54: declared in web.xml, then not once more by the initializer, which mends what was forgotten")
    void byWebXml(ContainerKind kind) throws IOException {
        assertWorks(kind, war(WarServlet.class).webXml(webXml("web-app", FILTER)), 1);
    }

    @EachContainer
    @DisplayName("case 54: declared in a web fragment, and then not once more by the initializer")
    void byFragment(ContainerKind kind) throws IOException {
        War war = war(WarServlet.class);
        Path jar = war.directory().resolve("WEB-INF/lib/fragment.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            entries.putNextEntry(new JarEntry("META-INF/web-fragment.xml"));
            entries.write(webXml("web-fragment", FILTER).getBytes(StandardCharsets.UTF_8));
            entries.closeEntry();
        }
        assertWorks(kind, war, 1);
    }

    @EachContainer
    @DisplayName("case 54: by annotation of a filter that delegates")
    void byAnnotation(ContainerKind kind) throws IOException {
        War war = war(WarServlet.class, WarFilter.class).webXml(webXml("web-app", DISABLED));
        assertWorks(kind, war, 0);
    }

    /** Two filters, one engine, and one call per request. */
    @EachContainer
    void byAnnotationAndInitializer(ContainerKind kind) throws IOException {
        assertWorks(kind, war(WarServlet.class, WarFilter.class), 1);
    }

    @EachContainer
    void notAtAllIfDisabled(ContainerKind kind) throws IOException {
        War war = war(WarServlet.class).webXml(webXml("web-app", DISABLED));
        try (Container container = kind.deploy(war, 10)) {
            assertThat(state(container)).isEqualTo("entered 0, interrupted 0, filters 0, no policy");
        }
    }

    /** An init-param is nearer than a context-param, that than a system property, that than the class path. */
    @EachContainer
    void withAPolicyFromElsewhere(ContainerKind kind) throws IOException {
        Path file = Files.writeString(directory.resolve("elsewhere.yaml"), "half-close: tolerate\n");
        System.setProperty("hangup.config", file.toString());
        try (Container container = kind.deploy(war(WarServlet.class), 10)) {
            assertThat(state(container)).endsWith("half-close tolerate, deadline 30s, cancels nothing");
        } finally {
            System.clearProperty("hangup.config");
        }
    }

    @EachContainer
    void withContextParams(ContainerKind kind) throws IOException {
        War war = war(WarServlet.class).webXml(webXml("web-app", """
                  <context-param>
                    <param-name>hangup.deadline</param-name>
                    <param-value>12s</param-value>
                  </context-param>
                """));
        try (Container container = kind.deploy(war, 10)) {
            assertThat(state(container)).endsWith("deadline 12s, cancels GET /work, GET /async");
        }
    }

    private static void assertWorks(ContainerKind kind, War war, int filters) throws IOException {
        try (Container container = kind.deploy(war, 10)) {
            assertThat(RawClient.ask(container, "/async").body()).isEqualTo("from another thread");
            RawClient client = RawClient.connect(container).get("/work");
            await().untilAsserted(() -> assertThat(state(container)).startsWith("entered 1, interrupted 0"));
            client.close();
            await().untilAsserted(() -> assertThat(state(container)).startsWith("entered 1, interrupted 1"));
            assertThat(state(container))
                    .contains("filters " + filters + ", ")
                    .endsWith("cancels GET /work, GET /async");
        }
    }

    private static String state(Container container) throws IOException {
        return RawClient.ask(container, "/state").body();
    }

    private static String webXml(String root, String content) {
        return """
                <?xml version="1.0" encoding="UTF-8"?>
                <%s xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
                %s</%s>
                """.formatted(root, content, root);
    }
}
