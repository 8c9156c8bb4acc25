package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is to be done in a while. */
final class DelayTest {

    @Test
    void itsThreadsKeepNobodysClassLoaderAndEnd() throws Exception {
        AtomicReference<@Nullable Thread> late = new AtomicReference<>();
        Thread here = Thread.currentThread();
        ClassLoader before = here.getContextClassLoader();
        try (URLClassLoader application = new URLClassLoader(new URL[0])) {
            here.setContextClassLoader(application);
            Future<?> unused = Delay.run(Duration.ofMillis(1), () -> late.set(Thread.currentThread()));
            await().until(() -> late.get() != null);
            assertThat(ours()).noneMatch(each -> each.getContextClassLoader() == application);
        } finally {
            here.setContextClassLoader(before);
        }
        await().until(() -> !Objects.requireNonNull(late.get()).isAlive());
    }

    @Test
    void whatIsCancelledIsNotDone() {
        Queue<String> done = new ConcurrentLinkedQueue<>();
        Future<?> first = Delay.run(Duration.ofHours(1), () -> done.add("first"));
        assertThat(first.cancel(false)).isTrue();
        Future<?> unused = Delay.run(Duration.ZERO, () -> done.add("second"));
        await().untilAsserted(() -> assertThat(done).containsExactly("second"));
    }

    private static Iterable<Thread> ours() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.isAlive() && thread.getName().matches("hangup-(delay|late)"))
                .toList();
    }
}
