package dev.hangup.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real Prometheus, with the blocks in the directory {@code data} for its past. */
final class Prometheus implements AutoCloseable {

    private static final long PATIENCE = 60;

    private final Process process;
    private final int port;

    private Prometheus(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** @param scraped what it scrapes each second, such as {@code 127.0.0.1:8080}; empty: nothing */
    static Prometheus start(Path directory, String scraped) throws Exception {
        String program = Program.path("prometheus");
        String jobs = scraped.isEmpty()
                ? ""
                : "  - { job_name: fleet, static_configs: [ { targets: [ '" + scraped + "' ] } ] }\n";
        Path config = Files.writeString(
                directory.resolve("prometheus.yml"),
                "global: { scrape_interval: 1s }\n" + (jobs.isEmpty() ? "" : "scrape_configs:\n" + jobs));
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Process process = process(
                directory,
                List.of(
                        program,
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port));
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        Prometheus prometheus = new Prometheus(process, port);
        try {
            prometheus.awaitReady();
        } catch (AssertionError late) {
            prometheus.close();
            throw new AssertionError(Files.readString(directory.resolve("prometheus.txt")), late);
        }
        return prometheus;
    }

    /** Runs its tool to the end. */
    static void tool(Path directory, String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(Program.path("prometheus")).resolveSibling("promtool").toString()));
        command.addAll(Arrays.asList(args));
        Process process = process(directory, command);
        assertThat(process.waitFor(PATIENCE, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(directory.resolve("prometheus.txt")))
                .isZero();
    }

    private static Process process(Path directory, List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("prometheus.txt").toFile())
                .start();
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    private void awaitReady() throws Exception {
        HttpRequest ready =
                HttpRequest.newBuilder(URI.create(url() + "/-/ready")).build();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        while (System.nanoTime() < end && process.isAlive()) {
            try {
                if (HttpClient.newHttpClient()
                                .send(ready, HttpResponse.BodyHandlers.discarding())
                                .statusCode()
                        == 200) {
                    return;
                }
            } catch (IOException notYet) {
                assertThat(notYet).isNotNull();
            }
            process.waitFor(100, TimeUnit.MILLISECONDS);
        }
        throw new AssertionError("not ready");
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
