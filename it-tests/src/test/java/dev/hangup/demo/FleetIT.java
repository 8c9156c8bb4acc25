package dev.hangup.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.it.Child;
import dev.hangup.it.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus scrapes the demo, and the tuning tool's jar reads there how long its reports take. */
final class FleetIT {

    private static final Path JAR = Path.of("..", "tune", "target", "hangup-tune.jar");
    private static final Pattern VALUE = Pattern.compile("\"value\":\\[[^,]*,\"([0-9.]+)\"]");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int REPORTS = 117;

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path folder = Path.of("");

    @Test
    void theJarRecommendsFromWhatPrometheusHasScraped() throws Exception {
        assertThat(JAR).as("made by the module tune").exists();
        Scenario scenario = Scenario.at(0.05);
        try (ReportServer server = new ReportServer(0, scenario.workers());
                Database database = Database.start(2 * scenario.pool() + 20);
                Applications applications = new Applications(scenario, new Ledger(), database, Settings.App.SERVLET)) {
            applications.addTo(server);
            server.start();
            int port = freePort();
            try (Child prometheus = prometheus(server.address().getPort(), port)) {
                String url = "http://127.0.0.1:" + port;
                URI report = URI.create(server.url(Applications.WITH + Applications.SLOW + "7"));
                assertThat(get(report).statusCode()).isEqualTo(200); // a counter grows from when it is first seen
                awaitCalls(url, 1, prometheus);
                ask(report, scenario.pool());
                awaitCalls(url, 1 + REPORTS, prometheus);
                String json = run("recommend", "--prometheus", url, "--min-samples", "50", "--json");
                assertThat(json).contains("\"endpoint\" : \"GET /reports/{id}\"");
                assertThat(number("samples", json)).isBetween(REPORTS * 0.5, REPORTS * 1.5); // it extrapolates
                // They take 1.5 s, in a bucket from 1 s to 2 s.
                assertThat(number("recommended", json)).isBetween(1.0, 3.0);
            }
        }
    }

    private Child prometheus(int scraped, int port) throws IOException {
        Path config = Files.writeString(folder.resolve("prometheus.yml"), """
                        global: { scrape_interval: 1s }
                        scrape_configs:
                          - { job_name: demo, static_configs: [ { targets: [ 'localhost:%d' ] } ] }
                        """.formatted(scraped));
        return Child.start(
                folder,
                List.of(
                        Program.PROMETHEUS.path(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port));
    }

    /** As many at once as there are connections. */
    private void ask(URI report, int atOnce) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(atOnce);
        try {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < REPORTS; i++) {
                answers.add(callers.submit(() -> get(report).statusCode()));
            }
            for (Future<Integer> answer : answers) {
                assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(200);
            }
        } finally {
            callers.shutdownNow();
        }
    }

    private void awaitCalls(String prometheus, int calls, Child server) {
        String query = URLEncoder.encode("sum(hangup_call_seconds_count)", StandardCharsets.UTF_8);
        await().atMost(PATIENCE).ignoreException(IOException.class).untilAsserted(() -> {
            assertThat(server.isAlive()).as(server.output()).isTrue();
            String answer =
                    get(URI.create(prometheus + "/api/v1/query?query=" + query)).body();
            Matcher value = VALUE.matcher(answer);
            assertThat(value.find()).as(answer).isTrue();
            assertThat(Double.parseDouble(value.group(1))).isEqualTo(calls);
        });
    }

    private String run(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                JAR.toAbsolutePath().toString()));
        command.addAll(List.of(arguments));
        try (Child tool = Child.start(folder, command)) {
            await().atMost(PATIENCE).until(() -> !tool.isAlive());
            return tool.output();
        }
    }

    private HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private static double number(String key, String json) {
        Matcher value = Pattern.compile("\"" + key + "\" : ([0-9.]+)").matcher(json);
        assertThat(value.find()).as(json).isTrue();
        return Double.parseDouble(value.group(1));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
