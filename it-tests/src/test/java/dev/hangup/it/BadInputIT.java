package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterRegistration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An application whose configuration of Hangup is wrong does not start, says why, and leaves nothing half-started. */
final class BadInputIT {

    /** Key, value, and what must be said of it. */
    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.of("grce", "100ms", "grace"),
                Arguments.of("grace", "-5ms", "-5ms"),
                Arguments.of("grace", "fast", "fast"),
                Arguments.of("escalate-after", "2", "2"),
                Arguments.of("deadline", "0s", "0s"),
                Arguments.of("mode", "cancle", "cancel"),
                Arguments.of("half-close", "maybe", "tolerate"),
                Arguments.of("config", "/nowhere/hangup.yaml", "/nowhere/hangup.yaml: no such file"),
                Arguments.of("policy", "deadlines: { endpoints: { \"GET /a\": { normal: soon } } }", "soon"));
    }

    /** Jetty fails the start of the server with the filter's own exception. */
    @ParameterizedTest(name = "{0}={1}")
    @MethodSource("wrong")
    void initParamIsNamedWithItsValueAndWhatWasExpected(String key, String value, String named) {
        Throwable thrown = catchThrowable(() -> start(ContainerKind.JETTY, Map.of(key, value)));
        assertThat(messages(thrown))
                .contains("Hangup is not started")
                .contains(named)
                .contains(key.equals("config") ? value : key);
        assertThat(Threads.ofHangup()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ContainerKind.class)
    void aWrongFileIsRefusedWithAllItsErrors(ContainerKind kind, @TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("hangup.yaml"), """
                mode: obserb
                settings:
                  grace: -1ms
                  unknown: 3
                """);
        Throwable thrown = catchThrowable(() -> start(kind, Map.of("hangup.config", file.toString())));
        assertThat(thrown).isNotNull();
        if (kind == ContainerKind.JETTY) { // Tomcat's own log has it
            assertThat(messages(thrown))
                    .contains("obserb", "grace", "-1ms", "unknown")
                    .contains(file + ", line 1, column 7: mode")
                    .contains(file + ", line 3, column 10: settings.grace")
                    .contains(file + ", line 4, column 3: settings.unknown");
        }
        await().untilAsserted(() -> assertThat(Threads.ofHangup()).isEmpty());
    }

    /** The engine has its policy already; a parameter that came to nothing would be believed to hold. */
    @Test
    void parametersBesideAGivenEngineAreRefused() {
        try (Hangup hangup = Hangup.builder().build()) {
            Throwable thrown =
                    catchThrowable(() -> start(ContainerKind.JETTY, new HangupFilter(hangup), Map.of("grace", "50ms")));
            assertThat(messages(thrown)).contains("[grace] have no effect");
        }
    }

    private static void start(ContainerKind kind, Map<String, String> parameters) {
        start(kind, new HangupFilter(), parameters);
    }

    private static void start(ContainerKind kind, HangupFilter ours, Map<String, String> parameters) {
        Site site = new Site().servlet("/*", new EchoServlet()).initializer(context -> {
            FilterRegistration.Dynamic filter = context.addFilter("hangup", ours);
            filter.setAsyncSupported(true);
            filter.setInitParameters(parameters);
            filter.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");
        });
        kind.start(site).close();
    }

    private static String messages(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            text.append(cause.getMessage()).append('\n');
        }
        return text.toString();
    }
}
