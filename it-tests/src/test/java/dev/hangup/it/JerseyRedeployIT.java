package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** As {@link RedeployIT}, of an application that has Jersey and both of Hangup's jars in its WEB-INF/lib. */
@EachLine
@EnabledForJreRange(
        max = JRE.JAVA_18,
        disabledReason = "JDK 19 holds the records that were compared last until memory is scarce")
final class JerseyRedeployIT {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final List<String> LEFT = List.of("managed", "suspended", "events");
    /** Jersey waits five seconds for threads of its own that are at work. */
    private static final List<String> AT_WORK = List.of("suspended", "events");

    private War war = new War(Path.of("."));

    @BeforeEach
    void makeWar(@TempDir Path directory) throws IOException {
        war = War.in(directory.resolve("app"), WarResource.class)
                .jersey()
                .webXml("""
                        <?xml version="1.0" encoding="UTF-8"?>
                        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
                          <servlet>
                            <servlet-name>jersey</servlet-name>
                            <servlet-class>org.glassfish.jersey.servlet.ServletContainer</servlet-class>
                            <init-param>
                              <param-name>jersey.config.server.provider.classnames</param-name>
                              <param-value>dev.hangup.it.WarResource</param-value>
                            </init-param>
                            <init-param>
                              <param-name>jersey.config.server.wadl.disableWadl</param-name>
                              <param-value>true</param-value>
                            </init-param>
                            <load-on-startup>1</load-on-startup>
                            <async-supported>true</async-supported>
                          </servlet>
                          <servlet-mapping>
                            <servlet-name>jersey</servlet-name>
                            <url-pattern>/api/*</url-pattern>
                          </servlet-mapping>
                        </web-app>
                        """)
                .file("WEB-INF/classes/hangup.yaml", "settings: { drain: 300ms }");
    }

    @EachContainer
    void oneCycleLeavesNothingBehind(ContainerKind kind) throws Exception {
        cycles(kind, 1);
    }

    @EachContainer
    @Tag("soak")
    void tenCyclesLeaveNothingBehind(ContainerKind kind) throws Exception {
        cycles(kind, 10);
    }

    private void cycles(ContainerKind kind, int times) throws Exception {
        try (Host host = kind.host(20)) {
            assertThat(RawClient.ask(host, "/app/api/state").status()).isEqualTo(404);
            long selectors = RedeployIT.selectors();
            for (int i = 0; i < times; i++) {
                WeakReference<ClassLoader> loader = logged(host);
                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(Threads.ofHangup()).isEmpty());
                RedeployIT.awaitCollected(loader, host);
                // Last, because an HTTP client of the JDK's ends its own when it is collected.
                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(RedeployIT.selectors()).isLessThanOrEqualTo(selectors));
            }
        }
    }

    /** What Jersey and Tomcat say of requests that Tomcat ends in its stop is theirs. What is logged may hold classes, and is forgotten here. */
    private WeakReference<ClassLoader> logged(Host host) throws IOException {
        try (Logged logged = Logged.begin()) {
            WeakReference<ClassLoader> loader = cycle(host);
            assertThat(logged.alarms()).noneMatch(alarm -> alarm.contains(" dev.hangup: "));
            return loader;
        }
    }

    /** A request downstream; callers who leave, and others who still wait when the application is taken away. */
    private WeakReference<ClassLoader> cycle(Host host) throws IOException {
        Host.Deployment application = host.deploy(war, "/app");
        String state = RawClient.ask(host, "/app/api/state").body();
        assertThat(RawClient.ask(host, "/app/api/downstream").body()).isEqualTo(state);
        List<RawClient> leaving = ask(host, LEFT);
        await().untilAsserted(() -> assertThat(state(host)).isEqualTo("begun 3, ended 0"));
        for (RawClient each : leaving) {
            each.close();
        }
        await().untilAsserted(() -> assertThat(state(host)).isEqualTo("begun 3, ended 3"));
        List<RawClient> waiting = ask(host, AT_WORK);
        await().untilAsserted(() -> assertThat(state(host)).isEqualTo("begun 5, ended 3"));
        WeakReference<ClassLoader> loader = RedeployIT.loader();
        application.undeploy();
        for (RawClient each : waiting) {
            each.close();
        }
        return loader;
    }

    private static List<RawClient> ask(Host host, List<String> ways) throws IOException {
        List<RawClient> asked = new ArrayList<>();
        for (String way : ways) {
            asked.add(RawClient.connect(host).get("/app/api/" + way));
        }
        return asked;
    }

    private static String state(Host host) throws IOException {
        return RawClient.ask(host, "/app/api/state").body();
    }
}
