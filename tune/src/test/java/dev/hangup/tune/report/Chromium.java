package dev.hangup.tune.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import dev.hangup.tune.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A browser with one page, driven through its debugging socket. */
final class Chromium implements AutoCloseable, WebSocket.Listener {

    private static final long PATIENCE = 60;

    private final Process process;
    private final WebSocket socket;
    private final Map<Integer, CompletableFuture<Map<String, Object>>> answers = new ConcurrentHashMap<>();
    private final AtomicInteger last = new AtomicInteger();
    private final StringBuilder part = new StringBuilder();
    /** All that the page has complained about or asked for, by the name of the event. */
    private final List<Map<String, Object>> events = new CopyOnWriteArrayList<>();

    private Chromium(Process process, URI page) throws Exception {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(page, this)
                .get(PATIENCE, TimeUnit.SECONDS);
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            send(domain + ".enable", Map.of());
        }
    }

    /** @param directory for its profile */
    static Chromium start(Path directory) throws Exception {
        List<String> command = List.of(
                Program.path("chromium"),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--user-data-dir=" + directory.resolve("profile"),
                "about:blank");
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("chromium.txt").toFile());
        builder.environment().put("TMPDIR", directory.toString());
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        try {
            return new Chromium(process, page(directory.resolve("profile/DevToolsActivePort"), process));
        } catch (Exception failed) {
            process.destroyForcibly();
            throw failed;
        }
    }

    private static URI page(Path portFile, Process process) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        while (System.nanoTime() < end && process.isAlive()) {
            if (Files.exists(portFile) && Files.readString(portFile).contains("\n")) {
                String port = Files.readString(portFile).lines().findFirst().orElseThrow();
                String pages = HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body();
                for (Object page : JSON.std.listFrom(pages)) {
                    if (page instanceof Map<?, ?> it && "page".equals(it.get("type"))) {
                        return URI.create(String.valueOf(it.get("webSocketDebuggerUrl")));
                    }
                }
            }
            process.waitFor(100, TimeUnit.MILLISECONDS);
        }
        throw new IllegalStateException("no page; alive: " + process.isAlive());
    }

    /** Sends a command and waits for its result. */
    Map<String, Object> send(String method, Map<String, Object> params) throws Exception {
        int id = last.incrementAndGet();
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        answers.put(id, answer);
        Map<String, Object> command = new LinkedHashMap<>(Map.of("id", id, "method", method, "params", params));
        socket.sendText(JSON.std.asString(command), true).get(PATIENCE, TimeUnit.SECONDS);
        Map<String, Object> result = answer.get(PATIENCE, TimeUnit.SECONDS);
        assertThat(result).as(method).doesNotContainKey("error");
        return map(result.get("result"));
    }

    /** What an expression is on the page. */
    Object value(String expression) throws Exception {
        Map<String, Object> result = send("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
        assertThat(result).as(expression).doesNotContainKey("exceptionDetails");
        return Objects.requireNonNull(map(result.get("result")).get("value"), expression);
    }

    void screenshot(Path file) throws Exception {
        Map<String, Object> shot =
                send("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, Base64.getDecoder().decode(String.valueOf(shot.get("data"))));
    }

    Stream<Map<String, Object>> events(String method) {
        return events.stream()
                .filter(event -> method.equals(event.get("method")))
                .map(event -> map(event.get("params")));
    }

    @Override
    public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean isLast) {
        part.append(data);
        if (isLast) {
            take(part.toString());
            part.setLength(0);
        }
        webSocket.request(1);
        return CompletableFuture.completedFuture(null);
    }

    private void take(String message) {
        try {
            Map<String, Object> received = JSON.std.mapFrom(message);
            if (received.get("id") instanceof Integer id) {
                Objects.requireNonNull(answers.remove(id)).complete(received);
            } else {
                events.add(received);
            }
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(@Nullable Object value) {
        return (Map<String, Object>) Objects.requireNonNull(value);
    }

    @Override
    public void close() throws Exception {
        socket.abort();
        List<ProcessHandle> family = process.descendants().toList();
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        family.forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
    }
}
