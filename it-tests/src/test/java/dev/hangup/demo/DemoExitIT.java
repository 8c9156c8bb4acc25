package dev.hangup.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the demo ends when it is asked for what cannot be, in a JVM of its own. */
final class DemoExitIT {

    private record Ending(int code, List<String> lines) {}

    @Test
    void aPortInUseIsSaidAndEndsWithTwo() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            Ending ending = demo("-Ddemo.port=" + taken.getLocalPort());

            assertThat(ending.code()).isEqualTo(2);
            assertThat(ending.lines())
                    .singleElement()
                    .asString()
                    .contains("-Ddemo.port=" + taken.getLocalPort(), "Address already in use", "choose another port");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Ddemo.scale=2", "-Ddemo.port=web", "-Ddemo.keep=perhaps", "-Ddemo.speed=9"})
    void aBadValueIsSaidAndEndsWithTwo(String argument) throws Exception {
        Ending ending = demo(argument);

        assertThat(ending.code()).isEqualTo(2);
        assertThat(ending.lines()).singleElement().asString().startsWith(argument.replaceFirst("=9", ""));
    }

    private static Ending demo(String argument) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), argument, Demo.class.getName()));
        Process demo = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(demo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(demo.waitFor(30, TimeUnit.SECONDS)).as("it ends").isTrue();
            return new Ending(demo.exitValue(), output.lines().toList());
        } finally {
            demo.destroyForcibly();
        }
    }
}
