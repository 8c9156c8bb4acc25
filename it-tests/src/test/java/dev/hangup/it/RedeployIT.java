package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application that is taken away from a container that runs on leaves nothing behind: no thread, no selector, and no class
 * loader. The connections outlive it, and each is held by a key for as long as anybody's selector knows it: a key of ours would
 * hold the loader, too.
 */
@EachLine
final class RedeployIT {

    /** Tells of threads that outlive their application. It is silent elsewhere, because it wants --add-opens for the rest. */
    private static final Logger LEAKS = Logger.getLogger("org.apache.catalina.loader.WebappClassLoaderBase");

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Duration SOON = Duration.ofSeconds(20);

    private War war = new War(Path.of("."));

    @BeforeEach
    void makeWar(@TempDir Path directory) throws IOException {
        war = War.in(directory.resolve("app"), WarServlet.class).file("WEB-INF/classes/hangup.yaml", """
                settings: { drain: 300ms }
                deadlines:
                  defaults: { normal: 10m }
                  endpoints:
                    "GET /work": { mode: cancel }
                """);
    }

    @EachContainer
    @DisplayName("case 60: applications come and go, and leave no thread, no selector and no class loader")
    void threeCyclesLeaveNothingBehind(ContainerKind kind) throws Exception {
        cycles(kind, 3);
    }

    @EachContainer
    @Tag("soak")
    @DisplayName("case 60: twenty cycles")
    void twentyCyclesLeaveNothingBehind(ContainerKind kind) throws Exception {
        cycles(kind, 20);
    }

    private void cycles(ContainerKind kind, int times) throws Exception {
        Level before = LEAKS.getLevel();
        LEAKS.setLevel(Level.WARNING);
        try (Host host = kind.host(10)) {
            assertThat(RawClient.ask(host, "/app/state").status()).isEqualTo(404);
            long selectors = selectors();
            for (int i = 0; i < times; i++) {
                WeakReference<ClassLoader> loader;
                try (RawClient kept = RawClient.connect(host);
                        RawClient waiting = RawClient.connect(host);
                        RawClient observed = RawClient.connect(host)) {
                    loader = logged(() -> cycle(host, kept, waiting, observed));
                    assertThat(kept.get("/app/state").response().status()).isEqualTo(404);
                    await().atMost(SOON)
                            .untilAsserted(() -> assertThat(Threads.ofHangup()).isEmpty());
                    await().atMost(SOON)
                            .untilAsserted(() -> assertThat(selectors()).isLessThanOrEqualTo(selectors));
                    if (kind == ContainerKind.TOMCAT) {
                        awaitCollected(loader, host);
                    }
                }
                awaitCollected(loader, host); // a connection of Jetty's refers to the application that it served last
            }
        } finally {
            LEAKS.setLevel(before);
        }
    }

    /** Somebody else's request comes between: Jetty's selector has the last connection it heard of, closed or not, until the next. */
    static void awaitCollected(WeakReference<ClassLoader> loader, Host host) {
        await().atMost(SOON).until(() -> {
            assertThat(RawClient.ask(host, "/nothing").status()).isEqualTo(404);
            System.gc();
            return loader.get() == null;
        });
    }

    /** What is logged may hold the classes that it speaks of, and so must be forgotten before anybody looks. */
    private static <T> T logged(Callable<T> action) throws Exception {
        try (Logged logged = Logged.begin()) {
            T result = action.call();
            assertThat(logged.alarms()).noneMatch(alarm -> alarm.contains("hangup"));
            return result;
        }
    }

    /**
     * Sees a departure, watches all three connections, and is taken away while two of them are at work: the caller of a call that
     * may be cancelled is told so, the other one gets its answer. Their deadlines, which are far away, hold nothing.
     */
    private WeakReference<ClassLoader> cycle(Host host, RawClient kept, RawClient waiting, RawClient observed)
            throws IOException {
        Host.Deployment application = host.deploy(war, "/app");
        assertThat(RawClient.ask(host, "/app/async").body()).isEqualTo("from another thread");
        RawClient leaving = RawClient.connect(host).get("/app/work");
        await().untilAsserted(() -> assertThat(state(host)).startsWith("entered 1, interrupted 0"));
        leaving.close();
        await().untilAsserted(() -> assertThat(state(host)).startsWith("entered 1, interrupted 1"));
        waiting.get("/app/work");
        assertThat(kept.get("/app/pause?300").response().body()).isEqualTo("rested");
        observed.get("/app/pause?1200");
        await().untilAsserted(() -> assertThat(state(host)).startsWith("entered 4, interrupted 1"));
        await().pollDelay(Duration.ofMillis(300)).until(() -> true); // it has outgrown its grace
        WeakReference<ClassLoader> loader = loader();
        application.undeploy();
        assertThat(waiting.response().status()).isEqualTo(503);
        assertThat(observed.response().body()).isEqualTo("rested");
        return loader;
    }

    static WeakReference<ClassLoader> loader() {
        ClassLoader[] found = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("hangup-watcher"))
                .map(Thread::getContextClassLoader)
                .toArray(ClassLoader[]::new);
        assertThat(found).hasSize(1);
        assertThat(found[0]).isNotSameAs(RedeployIT.class.getClassLoader());
        return new WeakReference<>(Objects.requireNonNull(found[0]));
    }

    /** How many selectors this JVM has open; 0 where it cannot be told. */
    static long selectors() throws IOException {
        if (!Files.isDirectory(DESCRIPTORS)) {
            return 0;
        }
        try (Stream<Path> open = Files.list(DESCRIPTORS)) {
            List<String> targets = open.map(RedeployIT::target).toList();
            return targets.stream()
                    .filter(target -> target.contains("eventpoll"))
                    .count();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "closed meanwhile";
        }
    }

    private static String state(Container container) throws IOException {
        return RawClient.ask(container, "/app/state").body();
    }
}
