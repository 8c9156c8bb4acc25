package dev.hangup.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.hangup.tune.prometheus.Credentials;
import dev.hangup.tune.prometheus.QueryApi;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Recommendations from a real Prometheus that has recorded a day of a fleet: two instances, each with 100 calls a minute of an
 * endpoint that is slow in the first eight minutes of each hour.
 */
final class FleetIT {

    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    /** Calls of one minute that took no longer, by upper bound. */
    private static final Map<String, Integer> FAST = Map.of("0.5", 90, "1.0", 100, "2.0", 100, "5.0", 100, "+Inf", 100);

    private static final Map<String, Integer> SLOW = Map.of("0.5", 0, "1.0", 50, "2.0", 90, "5.0", 100, "+Inf", 100);
    /** Of ten callers who left. */
    private static final Map<String, Integer> LEFT = Map.of("0.5", 0, "1.0", 0, "2.0", 10, "5.0", 10, "+Inf", 10);

    private final Map<String, Long> counters = new TreeMap<>();

    @Test
    void everyWindowIsJudgedByTheTimesInWhichItWas(@TempDir Path directory) throws Exception {
        Path policy = Files.writeString(directory.resolve("hangup.yaml"), """
                windows: { spike_00: { minutes: 0-7 } }
                deadlines: { endpoints: { "GET /reports/{id}": { normal: 2s, spike_00: 3s } } }
                """);
        record(directory);
        try (Prometheus prometheus = Prometheus.start(directory, "")) {
            Path json = directory.resolve("recommend.json");
            Ran ran = Ran.of(
                    "recommend",
                    "--prometheus",
                    prometheus.url(),
                    "--policy",
                    policy.toString(),
                    "--since",
                    "2d",
                    "--target",
                    "0.99",
                    "--run-by",
                    "hour",
                    "--json");
            assertThat(ran.code()).as(ran.err()).isZero();
            Files.writeString(json, ran.out());
            List<Recommendation> found = RecommendationJson.read(json);
            assertThat(found.stream().map(it -> it.endpoint() + ", " + it.window()))
                    .containsExactly(
                            "GET /own, normal",
                            "GET /own, spike_00",
                            "GET /reports/{id}, normal",
                            "GET /reports/{id}, spike_00",
                            "POST /orders, normal",
                            "POST /orders, spike_00");
            // 90 of 100 by 0.5 s and all by 1 s: evenly between, 99 by 0.95 s.
            Recommendation normal = found.get(2);
            assertThat(normal.recommended()).hasMillis(1_000);
            assertThat(normal.current()).hasMillis(2_000);
            assertThat(normal.samples()).isCloseTo(24L * 52 * 200, within(52L * 200));
            // 90 of 100 by 2 s and all by 5 s: 99.5 by 4.85 s.
            Recommendation spike = found.get(3);
            assertThat(spike.recommended()).hasMillis(4_900);
            assertThat(spike.decision()).isEqualTo(Decision.RAISE);
            assertThat(spike.stability().runs()).isBetween(23, 25);
            assertThat(spike.samples()).isCloseTo(24L * 8 * 200, within(8L * 200));
            assertThat(spike.more().get("interpolation"))
                    .asString()
                    .contains("above=2.0", "up_to=5.0", "rate_above=0.9,", "rate_up_to=1");
            assertThat(ran.err()).contains("GET /reports/{id}, spike_00: interpolated in a bucket from 2.0 s to 5.0 s");
            assertThat(found.get(1).recommended()).isEqualTo(spike.recommended());
            assertThat(found.get(1).samples()).isEqualTo(spike.samples());
            // Ten of 110 left between 1 s and 2 s: they are samples, and their patience is known.
            assertThat(found.get(4).samples()).isCloseTo(24L * 52 * 220, within(52L * 220));
            assertThat(found.get(4).more().get("patience")).asString().contains("longest=2.0");
            Ran page = Ran.of("report", "--html", "--prometheus", prometheus.url(), "--policy", policy.toString());
            assertThat(page.code()).as(page.err()).isZero();
            assertThat(page.out()).contains("GET /reports/{id} <small>spike_00</small>", "callers left");
        }
    }

    @Test
    void aServerWithoutHistogramsIsNoRecommendation(@TempDir Path directory) throws Exception {
        try (Prometheus prometheus = Prometheus.start(directory, "")) {
            Ran ran = Ran.of("recommend", "--prometheus", prometheus.url());
            assertThat(ran.code()).isEqualTo(Tune.NO_RECOMMENDATION);
            assertThat(ran.err()).contains("no endpoint has a histogram");
            Ran malformed = Ran.of("recommend", "--prometheus", prometheus.url(), "--matching", "job=shop");
            assertThat(malformed.code()).isEqualTo(Tune.UNREADABLE);
            assertThat(malformed.err()).contains("refuses: ", "parse error").doesNotContain("\tat ");
        }
    }

    /** What Micrometer publishes is what is asked for, scraped by a real server from a real page. */
    @Test
    void aPageOfMicrometersIsRead(@TempDir Path directory) throws Exception {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Timer timer = Timer.builder("http.server.requests")
                .tags("method", "GET", "uri", "/reports/{id}", "status", "200")
                .serviceLevelObjectives(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2))
                .register(registry);
        HttpServer page = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        page.createContext("/metrics", exchange -> {
            byte[] bytes = registry.scrape().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        page.start();
        try (Prometheus prometheus =
                Prometheus.start(directory, "127.0.0.1:" + page.getAddress().getPort())) {
            await().atMost(Duration.ofSeconds(60)).until(() -> counted(prometheus) == 0);
            IntStream.range(0, 200)
                    .forEach(i -> timer.record(Duration.ofMillis(i < 150 ? 300 : i < 198 ? 800 : 1_500)));
            await().atMost(Duration.ofSeconds(60)).until(() -> counted(prometheus) == 200);
            Ran ran = Ran.of(
                    "recommend",
                    "--prometheus",
                    prometheus.url(),
                    "--matching",
                    "job=\"fleet\"",
                    "--target",
                    "0.98",
                    "--json");
            assertThat(ran.code()).as(ran.err()).isZero();
            Path json = Files.writeString(directory.resolve("recommend.json"), ran.out());
            assertThat(RecommendationJson.read(json)).singleElement().satisfies(it -> {
                assertThat(it.endpoint()).isEqualTo("GET /reports/{id}");
                assertThat(it.recommended()).isBetween(Duration.ofMillis(900), Duration.ofSeconds(1));
                assertThat(it.more().get("interpolation")).asString().contains("above=0.5", "up_to=1.0");
            });
        } finally {
            page.stop(0);
        }
    }

    /** Calls that the server knows of; -1 while it does not know the histogram. */
    private static double counted(Prometheus prometheus) {
        long now = Instant.now().getEpochSecond();
        return new QueryApi(prometheus.url(), Credentials.NONE)
                .range("http_server_requests_seconds_count", now, now, 1).stream()
                        .mapToDouble(QueryApi.Sample::value)
                        .findFirst()
                        .orElse(-1);
    }

    /** A day that ended an hour ago, as blocks of Prometheus' own. */
    private void record(Path directory) throws Exception {
        long end = Math.floorDiv(Instant.now().getEpochSecond(), HOUR) * HOUR;
        Map<String, StringBuilder> families = new TreeMap<>();
        for (long at = end - 24 * HOUR; at <= end; at += MINUTE) {
            boolean slow = Math.floorMod(at - MINUTE, HOUR) < 8 * MINUTE;
            for (String instance : List.of("a", "b")) {
                String labels = "instance=\"" + instance + "\",";
                add(
                        families,
                        "http_server_requests_seconds",
                        labels + "method=\"GET\",uri=\"/reports/{id}\",status=\"200\",",
                        slow ? SLOW : FAST,
                        at);
                add(
                        families,
                        "http_server_requests_seconds",
                        labels + "method=\"POST\",uri=\"/orders\",status=\"201\",",
                        FAST,
                        at);
                add(
                        families,
                        "http_server_requests_seconds",
                        labels + "method=\"POST\",uri=\"/orders\",status=\"499\",",
                        LEFT,
                        at);
                add(
                        families,
                        "http_server_requests_seconds",
                        labels + "method=\"GET\",uri=\"UNKNOWN\",status=\"404\",",
                        SLOW,
                        at);
                // The same requests again, as Hangup counts them, and an endpoint that nobody else counts.
                add(
                        families,
                        "hangup_call_seconds",
                        labels + "endpoint=\"POST /orders\",outcome=\"completed\",",
                        FAST,
                        at);
                add(
                        families,
                        "hangup_call_seconds",
                        labels + "endpoint=\"GET /own\",outcome=\"completed\",",
                        slow ? SLOW : FAST,
                        at);
                add(families, "hangup_call_seconds", labels + "endpoint=\"GET /own\",outcome=\"cancelled\",", SLOW, at);
                add(families, "hangup_caller_patience_seconds", labels + "endpoint=\"POST /orders\",", LEFT, at);
            }
        }
        Path text = directory.resolve("metrics.txt");
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(text))) {
            families.forEach((name, lines) -> out.print("# TYPE " + name + " histogram\n" + lines));
            out.print("# EOF\n");
        }
        Prometheus.tool(
                directory,
                "tsdb",
                "create-blocks-from",
                "openmetrics",
                text.toString(),
                directory.resolve("data").toString());
    }

    private void add(
            Map<String, StringBuilder> families, String name, String labels, Map<String, Integer> gained, long at) {
        StringBuilder lines = families.computeIfAbsent(name, none -> new StringBuilder());
        new TreeMap<>(gained).forEach((bound, count) -> {
            String series = name + "_bucket{" + labels + "le=\"" + bound + "\"}";
            long value = counters.merge(series, (long) count, Long::sum);
            lines.append(series)
                    .append(' ')
                    .append(value)
                    .append(' ')
                    .append(at)
                    .append('\n');
        });
    }
}
