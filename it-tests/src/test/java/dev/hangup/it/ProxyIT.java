package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.it.Departing.Manner;
import dev.hangup.it.ProxyStage.Way;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Whether a departure gets through what stands between a caller and the server; and the deadline, which holds in any case. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ProxyIT {

    private static final Duration DEADLINE = Duration.ofSeconds(3);
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Duration ABOUT = Duration.ofMillis(250);
    private static final Path README = Path.of("..", "README.md");

    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /wait/{id}", Entry.of(Mode.CANCEL).normal(DEADLINE))
            .build();

    private record Cell(Way way, Manner manner) {}

    private Path directory;
    private ProxyStage stage;

    @BeforeAll
    void start(@TempDir Path made) throws IOException {
        directory = made;
        stage = new ProxyStage(POLICY, made);
    }

    @AfterAll
    void stop() {
        if (stage != null) {
            stage.close();
        }
    }

    @Test
    @DisplayName("cases 6, 7 and 8: a departure gets through, or the deadline ends the call, as the README says")
    void departuresGetThroughAsTheReadmeSays() throws Exception {
        List<Cell> cells = ProxyStage.ways(Hop.values()).stream()
                .flatMap(way -> Stream.of(Manner.values()).map(manner -> new Cell(way, manner)))
                .toList();
        Map<Cell, String> seen = new ConcurrentHashMap<>();
        Crowd.of(
                cells.size(),
                i -> seen.put(
                        cells.get(i), seenOf(cells.get(i).way(), cells.get(i).manner())));
        String table = Stream.of(Hop.values()).map(hop -> row(hop, seen)).collect(Collectors.joining());
        assertThat(rows(Files.readString(README))).isEqualTo(table);
    }

    /** Where they are required they are those of the build that the README speaks for. */
    @Test
    @EnabledIfSystemProperty(named = Program.REQUIRED, matches = "true")
    void theReadmeNamesTheVersionsThatWereTested() throws Exception {
        assertThat(Files.readString(README))
                .contains("nginx " + version(Program.NGINX))
                .contains("HAProxy " + version(Program.HAPROXY));
    }

    private String version(Program program) {
        try (Child child = Child.start(directory, List.of(program.path(), "-v"))) {
            await().until(() -> !child.isAlive());
            Matcher version = Pattern.compile("[0-9]+\\.[0-9]+").matcher(child.output());
            assertThat(version.find()).as(child.output()).isTrue();
            return version.group();
        }
    }

    /** What the server has seen of a caller who left in mid-request. */
    private String seenOf(Way way, Manner manner) throws Exception {
        String path = way.path("/wait/", manner);
        Departing caller = way.hop().http2()
                ? Departing.http2(Departing.http2Client(), directory, stage.port(way), path, manner)
                : Departing.http1(stage.port(way), path, manner);
        CallScope call = stage.room.visit(path).call();
        await().pollDelay(Duration.ofMillis(300)).until(() -> true);
        long left = System.nanoTime();
        caller.leave();
        await(path).atMost(DEADLINE.plus(SOON)).until(call::isEnded);
        CancelReason reason = call.cancelReason().orElseThrow();
        if (reason.callerGone()) {
            assertThat(Duration.ofNanos(call.callerGoneAt() - left))
                    .as("%s %s", way, manner)
                    .isLessThan(SOON);
            return "`" + reason.name().toLowerCase(Locale.ROOT) + "`";
        }
        assertThat(reason).as("%s %s", way, manner).isEqualTo(CancelReason.ENDPOINT_DEADLINE);
        assertThat(call.callerGoneAt()).as("%s %s", way, manner).isZero();
        assertThat(call.elapsed()).as("%s %s", way, manner).isBetween(DEADLINE.minus(ABOUT), DEADLINE.plus(ABOUT));
        await(path).until(() -> stage.hasLogged(way, "GET " + path + " 504"));
        return "nothing";
    }

    private static String row(Hop hop, Map<Cell, String> seen) {
        StringBuilder row = new StringBuilder("| " + hop.title() + " | ");
        row.append(hop.setting().isEmpty() ? "" : hop.setting() + " ");
        for (Manner manner : Manner.values()) {
            String onEachContainer = ProxyStage.ways(hop).stream()
                    .map(way -> seen.get(new Cell(way, manner)))
                    .distinct()
                    .collect(Collectors.joining(" or "));
            row.append("| " + onEachContainer + " ");
        }
        return row.append("|\n").toString();
    }

    /** The README's table without its head. */
    private static String rows(String readme) {
        return readme.lines()
                .dropWhile(line -> !line.startsWith("| between caller and server |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    @Test
    void whoStaysIsServedThroughEachAndWhoStaysTooLongIsToldSo() throws Exception {
        List<Way> ways = ProxyStage.ways(Hop.values());
        Crowd.of(ways.size(), i -> {
            Way way = ways.get(i);
            HttpClient client = Departing.http2Client();
            String path = way.path("/wait/", "stays");
            Future<HttpResponse<String>> late = ask(client, way, way.path("/wait/", "late"));
            Future<HttpResponse<String>> answer = ask(client, way, path);
            CallScope call = stage.room.visit(path).call();
            await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
            stage.room.visit(path).serve();
            assertThat(answer.get().body()).as("%s", way).isEqualTo("served");
            assertThat(call.callerGoneAt()).as("%s", way).isZero();
            assertThat(late.get().statusCode()).as("%s", way).isEqualTo(504);
            assertThat(late.get().body()).contains("GET /wait/{id}");
        });
    }

    @Test
    void aStreamThatIsResetBeforeAProxyTakesNoOtherWithIt() throws Exception {
        List<Way> ways = ProxyStage.ways(Hop.NGINX_HTTP2, Hop.HAPROXY_HTTP2);
        Crowd.of(ways.size(), i -> {
            Way way = ways.get(i);
            HttpClient client = Departing.http2Client();
            String first = way.path("/wait/", "first");
            stage.room.visit(first).serve();
            assertThat(ask(client, way, first).get().version()).isEqualTo(HttpClient.Version.HTTP_2);

            String staying = way.path("/wait/", "sibling");
            String leaving = way.path("/wait/", "reset");
            Future<HttpResponse<String>> answer = ask(client, way, staying);
            Departing caller = Departing.http2(client, directory, stage.port(way), leaving, Manner.RESET);
            CallScope stays = stage.room.visit(staying).call();
            CallScope leaves = stage.room.visit(leaving).call();
            caller.leave();
            await(leaving).atMost(SOON).until(leaves::isEnded);
            assertThat(leaves.cancelReason()).get().matches(CancelReason::callerGone);
            stage.room.visit(staying).serve();
            assertThat(answer.get().body()).isEqualTo("served");
            assertThat(stays.callerGoneAt()).isZero();
        });
    }

    private Future<HttpResponse<String>> ask(HttpClient client, Way way, String path) {
        String scheme = way.hop().http2() ? "https" : "http";
        URI uri = URI.create(scheme + "://localhost:" + stage.port(way) + path);
        return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }
}
