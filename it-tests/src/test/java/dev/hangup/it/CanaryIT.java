package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.watch.CallerWatch;
import dev.hangup.watch.CallerWatch.Verdict;
import dev.hangup.watch.Watcher;
import dev.hangup.watch.jetty.JettySource;
import dev.hangup.watch.tomcat.TomcatSource;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;

/**
 * A canary for each line of the containers: what a watch relies on inside them is there, and means what it did. When this fails
 * after an upgrade, Hangup would still hold deadlines there, and see no departure. See {@link Case25IT} for what no watch
 * touches.
 */
@EachLine
final class CanaryIT {

    private static final int THREADS = 7;
    private static final Duration LONG_ENOUGH = Duration.ofMillis(500);

    /** What a test does in the container, on the request's thread. */
    private interface Probe<T> {
        T at(HttpServletRequest request) throws Exception;
    }

    @EachContainer
    void theWayFromARequestToItsSocketIsThere(ContainerKind kind) throws Exception {
        CallerWatch.Source source = source(kind);
        SocketChannel channel = inside(kind, get("/"), request -> {
            assertThat(source.wire(request)).isNotNull();
            OptionalInt threads = source.workerThreads(request);
            // Jetty counts its acceptor and its selector among them.
            assertThat(threads.orElse(0)).isBetween(THREADS, THREADS + 2);
            SocketChannel found = watch(source, request).channel();
            assertThat(found).isNotNull();
            assertThat(Objects.requireNonNull(found).socket().getPort()).isEqualTo(request.getRemotePort());
            return found;
        });
        assertThat(channel.isOpen()).isFalse(); // it was the container's, which has been stopped
    }

    @EachContainer
    @DisplayName(
            "case 25: a container reads nothing of the next request while it processes one, nor while that is asynchronous")
    void noReadInterestWhileARequestIsProcessed(ContainerKind kind) throws Exception {
        Semaphore pipelined = new Semaphore(0);
        String next = get("/next");
        CallerWatch.Source source = source(kind);
        Site site = new Site().servlet("/*", new LambdaServlet((request, response) -> {
            if (request.getRequestURI().equals("/async")) {
                AsyncContext async = request.startAsync();
                CallerWatch watch = watch(source, request);
                new Thread(() -> {
                            staysUnread(watch, pipelined, next.length());
                            async.complete();
                        })
                        .start();
            } else if (request.getRequestURI().equals("/sync")) {
                staysUnread(watch(source, request), pipelined, next.length());
            }
            response.getWriter().print("unread");
        }));
        try (Container container = kind.start(site)) {
            for (String path : new String[] {"/sync", "/async"}) {
                try (RawClient client = RawClient.connect(container).get(path)) {
                    await().until(pipelined::tryAcquire); // it is being processed
                    client.send(next);
                    assertThat(client.response().body()).isEqualTo("unread");
                    assertThat(client.response().body()).isEqualTo("unread");
                }
            }
        }
    }

    private static void staysUnread(CallerWatch watch, Semaphore entered, int bytes) {
        InputStream socket;
        try {
            socket = Objects.requireNonNull(watch.channel()).socket().getInputStream();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        entered.release();
        await().until(() -> socket.available() == bytes);
        await().during(LONG_ENOUGH).until(() -> socket.available() == bytes);
    }

    /** Rule 1 of Tomcat's watch hangs on one action code. Jetty's counts the bytes that the connection has read. */
    @EachContainer
    void aBodyThatSomebodyReadsForbidsAVerdict(ContainerKind kind) throws Exception {
        CallerWatch.Source source = source(kind);
        CompletableFuture<Boolean> looked = new CompletableFuture<>();
        CompletableFuture<List<Verdict>> seen = new CompletableFuture<>();
        Site site = site(seen, request -> {
            InputStream body = request.getInputStream();
            CallerWatch watch = watch(source, request);
            Verdict unread = watch.look();
            assertThat(List.of(body.read(), body.read())).containsExactly((int) 'a', (int) 'b');
            Verdict halfRead = watch.look();
            looked.complete(true);
            assertThat(body.readAllBytes()).isEqualTo(new byte[] {'c', 'd', 'e'});
            TimeUnit.NANOSECONDS.sleep(Watcher.SECOND_LOOK.toNanos());
            return List.of(unread, halfRead, watch.look());
        });
        try (Container container = kind.start(site);
                RawClient client = RawClient.connect(container)) {
            client.send(RawClient.head("POST", "/", "Content-Length: 5") + "\r\nab");
            CompletableFuture.anyOf(looked, seen).get(10, TimeUnit.SECONDS); // or its failure
            client.send("cde");
            List<Verdict> verdicts = seen.get(10, TimeUnit.SECONDS);
            if (kind == ContainerKind.TOMCAT) {
                assertThat(verdicts).containsExactly(Verdict.AMBIGUOUS, Verdict.AMBIGUOUS, Verdict.AGAIN);
            } else { // between the first two nothing was read
                assertThat(verdicts).element(2).isEqualTo(Verdict.AGAIN);
            }
        }
    }

    private static <T> T inside(ContainerKind kind, String request, Probe<T> probe) throws Exception {
        CompletableFuture<T> seen = new CompletableFuture<>();
        try (Container container = kind.start(site(seen, probe));
                RawClient client = RawClient.connect(container)) {
            client.send(request);
            return seen.get(10, TimeUnit.SECONDS);
        }
    }

    private static <T> Site site(CompletableFuture<T> seen, Probe<T> probe) {
        return new Site().maxThreads(THREADS).servlet("/*", new LambdaServlet((request, response) -> {
            try {
                seen.complete(probe.at(request));
            } catch (Exception | Error e) {
                seen.completeExceptionally(e);
            }
        }));
    }

    private static CallerWatch watch(CallerWatch.Source source, HttpServletRequest request)
            throws CallerWatch.UnwatchableException {
        return Objects.requireNonNull(source.open(request), () -> source.name() + " does not know " + request);
    }

    private static CallerWatch.Source source(ContainerKind kind) {
        return kind == ContainerKind.JETTY ? new JettySource() : new TomcatSource();
    }

    private static String get(String path) {
        return RawClient.head("GET", path) + "\r\n";
    }
}
