package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallScope;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Chromium does with the requests of a page that nobody looks at any more. The pages of departures.html drive themselves:
 * a browser that is driven from outside does not keep pages for going back as it does for its users.
 */
final class BrowserIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration MOMENT = Duration.ofMillis(200);
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /wait/{id}", Entry.of(Mode.CANCEL).normal(PATIENCE))
            .build();

    private final WaitingRoom room = new WaitingRoom();
    /** When each page was asked for: by then its predecessor is left. */
    private final Map<String, Long> arrivals = new ConcurrentHashMap<>();

    private final ClientStage stage = ClientStage.start(POLICY, this::site, Wire.PLAIN, Wire.TLS, Wire.H2);

    @AfterEach
    void stop() {
        stage.close();
    }

    private Site site() {
        return new Site()
                .servlet("/wait/*", room)
                .servlet("/page/*", new LambdaServlet(this::page))
                .servlet("/news/begun/*", new LambdaServlet((request, response) -> begun(request)))
                .servlet("/news/ended/*", new LambdaServlet((request, response) -> await().atMost(SOON)
                        .until(begun(request)::isEnded)));
    }

    /** Waits until the request that this one asks for has begun, and for a moment more, in which it outgrows its grace. */
    private CallScope begun(HttpServletRequest request) throws InterruptedException {
        CallScope call = room.visit(request.getRequestURI()).call();
        await().until(() -> call.elapsed().compareTo(MOMENT) > 0 || call.isEnded());
        return call;
    }

    private void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
        arrivals.put(request.getRequestURI(), System.nanoTime());
        response.setContentType("text/html");
        try (InputStream page = Objects.requireNonNull(BrowserIT.class.getResourceAsStream("departures.html"))) {
            page.transferTo(response.getOutputStream());
        }
    }

    @Test
    void whatAPageNoLongerWantsIsADeparture(@TempDir Path directory) throws Exception {
        List<ClientStage.Server> servers = stage.servers();
        String pages = servers.stream()
                .map(server -> server.uri("/page/" + server + "/abort").toString())
                .collect(Collectors.joining("&"));
        String start = servers.get(0).uri("/page/first/start") + "?" + pages;
        Child chromium = chromium(directory, start);
        try (chromium) {
            Crowd.of(servers.size(), i -> {
                ClientStage.Server server = servers.get(i);
                long left = arrival(server, "pagehide");
                assertThat(gone(server, "abort")).as("%s abort", server).isLessThan(left);
                assertDeparted(server, "pagehide", arrival(server, "load"));
                assertDeparted(server, "load", arrival(server, "keep"));
                arrival(server, "end");
            });
        }
        // Kept for going back, with its request, for a minute or so; but not longer than there is a browser.
        long quit = System.nanoTime();
        for (ClientStage.Server server : servers) {
            assertDeparted(server, "keep", quit);
        }
    }

    private void assertDeparted(ClientStage.Server server, String page, long left) throws Exception {
        assertThat(Duration.ofNanos(gone(server, page) - left))
                .as("%s %s", server, page)
                .isLessThan(SOON);
    }

    private long arrival(ClientStage.Server server, String page) {
        String path = "/page/" + server + "/" + page;
        await(path).atMost(PATIENCE).until(() -> arrivals.containsKey(path));
        return Objects.requireNonNull(arrivals.get(path));
    }

    /** When the caller of this page's request was seen leaving. */
    private long gone(ClientStage.Server server, String page) throws Exception {
        WaitingRoom.Visit visit = room.visit(server + "-" + page);
        CallScope call = visit.call();
        await(server + " " + page).atMost(SOON.plus(SOON)).until(call::isEnded);
        assertThat(visit.protocol).isEqualTo(server.protocol());
        assertThat(call.cancelReason().orElseThrow()).as("%s %s", server, page).matches(server::isDeparture);
        return call.callerGoneAt();
    }

    /** It must not talk to anybody but us, and does not run as root with its sandbox. */
    private static Child chromium(Path directory, String page) {
        return Child.start(
                directory,
                List.of(
                        Program.CHROMIUM.path(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--disable-popup-blocking",
                        "--ignore-certificate-errors",
                        "--user-data-dir=" + directory.resolve("profile"),
                        page),
                Map.of("TMPDIR", directory.toString()));
    }
}
