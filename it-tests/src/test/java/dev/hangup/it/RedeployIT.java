package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

/** An application that is taken away leaves nothing behind: no thread, no class loader. */
@EachLine
final class RedeployIT {

    @EachContainer
    @DisplayName("case 60: three deployments leave no thread, and their class loaders are collected")
    void deploymentsLeaveNothingBehind(ContainerKind kind, @TempDir Path directory) throws IOException {
        War war = War.in(directory.resolve("app"), WarServlet.class).file("WEB-INF/classes/hangup.yaml", """
                deadlines:
                  endpoints:
                    "GET /work": { mode: cancel }
                """);
        for (int round = 0; round < 3; round++) {
            WeakReference<ClassLoader> loader = use(kind, war);
            await().untilAsserted(() -> assertThat(threads()).isEmpty());
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                System.gc();
                return loader.get() == null;
            });
        }
    }

    /** Serves an asynchronous answer and sees a departure. */
    private static WeakReference<ClassLoader> use(ContainerKind kind, War war) throws IOException {
        try (Logged logged = Logged.begin();
                Container container = kind.deploy(war, 10)) {
            assertThat(RawClient.ask(container, "/async").body()).isEqualTo("from another thread");
            RawClient leaving = RawClient.connect(container).get("/work");
            await().untilAsserted(() -> assertThat(state(container)).startsWith("entered 1, interrupted 0"));
            leaving.close();
            await().untilAsserted(() -> assertThat(state(container)).startsWith("entered 1, interrupted 1"));
            assertThat(logged.alarms()).isEmpty();
            return loader();
        }
    }

    private static WeakReference<ClassLoader> loader() {
        ClassLoader[] found = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("hangup-watcher"))
                .map(Thread::getContextClassLoader)
                .toArray(ClassLoader[]::new);
        assertThat(found).hasSize(1);
        assertThat(found[0]).isNotSameAs(RedeployIT.class.getClassLoader());
        return new WeakReference<>(Objects.requireNonNull(found[0]));
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("hangup"))
                .toList();
    }

    private static String state(Container container) throws IOException {
        return RawClient.ask(container, "/state").body();
    }
}
