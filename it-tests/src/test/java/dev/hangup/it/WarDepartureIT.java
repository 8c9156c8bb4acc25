package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

/** A WAR that has the jar and a policy, and whose application has done nothing else. */
@EachLine
final class WarDepartureIT {

    private static final String POLICY = """
            deadlines:
              endpoints:
                "GET /sleep": { mode: cancel, normal: 30s }
            """;

    private static final String WEB_XML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
            %s
            </web-app>
            """;

    @EachContainer
    void aDepartureFreesTheWorkerThoughTheContainersClassesAreHidden(ContainerKind kind, @TempDir Path directory)
            throws IOException {
        War war = War.in(directory.resolve("app"), SleeperServlet.class).file("WEB-INF/classes/hangup.yaml", POLICY);
        try (Container container = kind.deploy(war, 20)) {
            leaveTwice(container);
            await().untilAsserted(() -> assertThat(get(container, "/slept")).isEqualTo("2 2"));
        }
        await().untilAsserted(() -> assertThat(Threads.ofHangup()).isEmpty());
    }

    @EachContainer
    @DisplayName("case 54: declared in web.xml, the filter is not put in a second time, and works with async")
    void declaredInWebXml(ContainerKind kind, @TempDir Path directory) throws IOException {
        War war = War.in(directory.resolve("app"), SleeperServlet.class)
                .file("WEB-INF/classes/hangup.yaml", POLICY)
                .webXml(WEB_XML.formatted("""
                        <filter><filter-name>mine</filter-name><filter-class>dev.hangup.HangupFilter</filter-class>
                        <async-supported>true</async-supported></filter>
                        <filter-mapping><filter-name>mine</filter-name><url-pattern>/*</url-pattern></filter-mapping>
                        """));
        try (Container container = kind.deploy(war, 20)) {
            assertThat(get(container, "/filters")).containsOnlyOnce("dev.hangup.HangupFilter");
            leaveTwice(container);
            await().untilAsserted(() -> assertThat(get(container, "/slept")).isEqualTo("2 2"));
        }
    }

    @EachContainer
    void switchedOffItIsNotThere(ContainerKind kind, @TempDir Path directory) throws IOException {
        War war = War.in(directory.resolve("app"), SleeperServlet.class)
                .file("WEB-INF/classes/hangup.yaml", POLICY)
                .webXml(
                        WEB_XML.formatted(
                                "<context-param><param-name>hangup.enabled</param-name><param-value>false</param-value></context-param>"));
        try (Container container = kind.deploy(war, 20)) {
            assertThat(get(container, "/filters")).doesNotContain("dev.hangup.HangupFilter");
            assertThat(Threads.ofHangup()).isEmpty();
            leaveTwice(container);
            await().during(Duration.ofMillis(700))
                    .until(() -> get(container, "/slept").equals("2 0"));
        }
    }

    private static void leaveTwice(Container container) throws IOException {
        RawClient fin = RawClient.connect(container).get("/sleep");
        RawClient rst = RawClient.connect(container).get("/sleep");
        await().untilAsserted(() -> assertThat(get(container, "/slept")).startsWith("2 "));
        fin.close();
        rst.rst();
    }

    private static String get(Container container, String path) throws IOException {
        try (RawClient client = RawClient.connect(container)) {
            return client.get(path).response().body();
        }
    }
}
