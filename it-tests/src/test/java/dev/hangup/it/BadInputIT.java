package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.hangup.HangupFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A wrong configuration stops the start with the key, the value and what was expected, and leaves nothing half-started. */
final class BadInputIT {

    @TempDir
    private Path directory;

    @ParameterizedTest(name = "{0} = {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "hangup.graze     | 50ms    | JETTY  | unknown",
                "hangup.graze     | 50ms    | TOMCAT | unknown",
                "hangup.deadline  | soon    | JETTY  | duration",
                "hangup.deadline  | soon    | TOMCAT | duration",
                "hangup.grace     | -1s     | JETTY  | duration",
                "hangup.grace     | -1s     | TOMCAT | duration",
                "hangup.mode      | kill    | JETTY  | observe, cancel, off",
                "hangup.mode      | kill    | TOMCAT | observe, cancel, off",
                "hangup.config    | /no/such.yaml | JETTY  | a readable policy file",
                "hangup.config    | /no/such.yaml | TOMCAT | a readable policy file",
            })
    void parameterIsNamedWithItsValueAndWhatWasExpected(String key, String value, ContainerKind kind, String expected) {
        assertRefused(kind, filter(Map.of(key, value)), "init-param", key, value, expected);
        assertRefused(kind, context(Map.of(key, value)), "context-param", key, value, expected);
    }

    @EachContainer
    void everyProblemOfAPolicyFileIsNamed(ContainerKind kind) throws IOException {
        Path file = Files.writeString(directory.resolve("hangup.yaml"), """
                mode: kill
                settings: { grace: -1s, graze: 50ms }
                deadlines:
                  defaults: { normal: soon }
                """);
        Site site = filter(Map.of("hangup.config", file.toString()));
        assertRefused(
                kind,
                site,
                file.toString(),
                "mode",
                "\"kill\"",
                "grace",
                "\"-1s\"",
                "graze",
                "normal",
                "\"soon\"",
                "line 4");
        assertRefused(
                kind, filter(Map.of("hangup.config", directory.toString())), directory.toString(), "cannot be read");
        assertRefused(kind, filter(Map.of("hangup.config", "Nul character")), "hangup.config", "Nul character");
    }

    @EachContainer
    void aWarDoesNotStart(ContainerKind kind) throws IOException {
        War wrong = War.in(directory.resolve("wrong"), WarServlet.class)
                .file("WEB-INF/classes/hangup.yaml", "mode: kill\n");
        assertRefused(() -> kind.deploy(wrong, 10).close(), "hangup.yaml", "mode", "\"kill\"", "observe, cancel, off");
        War maybe = War.in(directory.resolve("maybe"), WarServlet.class).webXml("""
                <?xml version="1.0" encoding="UTF-8"?>
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
                  <context-param>
                    <param-name>hangup.enabled</param-name>
                    <param-value>maybe</param-value>
                  </context-param>
                </web-app>
                """);
        assertRefused(() -> kind.deploy(maybe, 10).close(), "hangup.enabled", "\"maybe\"", "true or false");
    }

    /** The configuration is right, and something else in the application does not start. */
    @EachContainer
    void engineOfAnApplicationThatDoesNotStartIsClosed(ContainerKind kind) {
        Site site = filter(Map.of()).initializer(context -> {
            FilterRegistration.Dynamic broken = context.addFilter("broken", new BrokenFilter());
            broken.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), true, "/*");
        });
        assertRefused(kind, site, "on purpose");
    }

    private static void assertRefused(ContainerKind kind, Site site, String... words) {
        assertRefused(() -> kind.start(site).close(), words);
    }

    private static void assertRefused(Runnable start, String... words) {
        try (Logged logged = Logged.begin()) {
            Throwable refusal = catchThrowable(start::run);
            assertThat(refusal).as("it has started").isNotNull();
            StringBuilder said = new StringBuilder(String.join("\n", logged.alarms()));
            for (Throwable cause = refusal; cause != null; cause = cause.getCause()) {
                said.append('\n').append(cause);
            }
            assertThat(said.toString()).contains(words);
        }
        await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("hangup"))
                .toList();
    }

    private static Site filter(Map<String, String> parameters) {
        return new Site().initializer(context -> {
            FilterRegistration.Dynamic filter = context.addFilter("hangup", new HangupFilter());
            parameters.forEach(filter::setInitParameter);
            filter.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), true, "/*");
        });
    }

    private static Site context(Map<String, String> parameters) {
        return filter(Map.of()).initializer(context -> parameters.forEach(context::setInitParameter));
    }

    private static final class BrokenFilter implements Filter {
        @Override
        public void init(FilterConfig config) throws ServletException {
            throw new ServletException("broken on purpose");
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(request, response);
        }
    }
}
