package dev.hangup.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.io.File;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that travel with Micrometer's snapshots, whose registry finds our accessor by itself. */
final class ContextPropagationTest {
    private final TestRuntime runtime = new TestRuntime();
    private final ExecutorService one = Executors.newSingleThreadExecutor();
    private final ContextSnapshotFactory snapshots =
            ContextSnapshotFactory.builder().clearMissing(true).build();
    private final ExecutorService carrying = ContextExecutorService.wrap(one, snapshots);

    @AfterEach
    void close() {
        one.shutdownNow();
        Thread.interrupted();
        runtime.close();
    }

    @Test
    void theAccessorIsFound() {
        assertThat(ContextRegistry.getInstance().getThreadLocalAccessors())
                .anyMatch(accessor -> accessor.key().equals(CallThreadLocalAccessor.KEY));
    }

    @Test
    void aTaskCarriesTheCallAndLeavesTheThreadWithoutIt() throws Exception {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        CallScope seen = carrying.submit(CallScope::current).get(5, TimeUnit.SECONDS);
        TestRuntime.end(call);

        assertThat(seen).isSameAs(call);
        assertThat(one.submit(CallScope::current).get(5, TimeUnit.SECONDS)).isNull();
        assertThat(call.isEnded()).isTrue();
    }

    @Test
    void aTaskIsInterruptedWithItsCallAndTheNextIsNot() throws Exception {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        CountDownLatch running = new CountDownLatch(1);
        Future<CancelReason> answer = carrying.submit(() -> {
            running.countDown();
            TestRuntime.awaitInterrupt();
            return Call.current().cancelReason().orElseThrow();
        });
        assertThat(running.await(5, TimeUnit.SECONDS)).isTrue();
        call.leave(); // the servlet has gone asynchronous
        call.cancel();

        assertThat(answer.get(5, TimeUnit.SECONDS)).isEqualTo(CancelReason.MANUAL);
        assertThat(one.submit(() -> Thread.currentThread().isInterrupted()).get())
                .isFalse();
        call.responseOver();
        assertThat(call.isEnded()).isTrue();
    }

    @Test
    void aTaskThatOutlivesItsCallSeesItEnded() throws Exception {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        ContextSnapshot taken = snapshots.captureAll();
        TestRuntime.end(call);
        CallScope next = runtime.begin(TestRuntime.CANCELS);
        CompletableFuture<CallScope> seen = new CompletableFuture<>();
        within(taken, () -> seen.complete(CallScope.current()));

        assertThat(seen).isCompletedWithValue(call);
        assertThat(call.isEnded()).isTrue();
        assertThat(CallScope.current()).isSameAs(next);
        TestRuntime.end(next);
    }

    /** A snapshot that was taken outside any call hides the one that its task runs in, and keeps its interrupt off. */
    @Test
    void aSnapshotWithoutACallHidesTheThreadsOwn() {
        ContextSnapshot taken = snapshots.captureAll();
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        boolean[] interrupted = {true};
        within(taken, () -> {
            assertThat(CallScope.current()).isNull();
            call.cancel();
            TestRuntime.awaitCancelled(call);
            interrupted[0] = Thread.currentThread().isInterrupted();
        });

        assertThat(interrupted[0]).isFalse();
        assertThat(CallScope.current()).isSameAs(call);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        TestRuntime.end(call);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void snapshotsNest() {
        CallScope outer = runtime.begin(TestRuntime.CANCELS);
        ContextSnapshot ofOuter = snapshots.captureAll();
        CallScope inner = runtime.begin(TestRuntime.CANCELS);
        ContextSnapshot ofInner = snapshots.captureAll();
        within(ofOuter, () -> {
            assertThat(CallScope.current()).isSameAs(outer);
            within(
                    ofInner,
                    () -> within(ofInner, () -> assertThat(CallScope.current()).isSameAs(inner)));
            assertThat(CallScope.current()).isSameAs(outer);
        });
        assertThat(CallScope.current()).isSameAs(inner);
        TestRuntime.end(inner);
        assertThat(CallScope.current()).isSameAs(outer);
        TestRuntime.end(outer);
        assertThat(outer.isEnded()).isTrue();
        assertThat(inner.isEnded()).isTrue();
    }

    @Test
    void aRestoreWithoutItsSetDoesNothing() {
        CallScope call = runtime.begin(TestRuntime.CANCELS);
        new CallThreadLocalAccessor().restore(call);
        assertThat(CallScope.current()).isSameAs(call);
        TestRuntime.end(call);
    }

    /** All else works where Micrometer is not on the class path. */
    @Test
    void theLibraryMayBeAbsent() throws Exception {
        URL[] path = Arrays.stream(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                        .split(File.pathSeparator))
                .filter(entry -> !entry.contains("micrometer"))
                .map(entry -> url(new File(entry).toURI()))
                .toArray(URL[]::new);
        try (URLClassLoader alone = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
            Class<?> test = Class.forName("dev.hangup.call.ChildWorkTest", true, alone);
            var constructor = test.getDeclaredConstructor();
            constructor.setAccessible(true);
            Object instance = constructor.newInstance();
            for (String step : new String[] {"begin", "invokedTasksCarryTheCall", "close"}) {
                var method = test.getDeclaredMethod(step);
                method.setAccessible(true);
                method.invoke(instance);
            }
            assertThat(alone.loadClass("dev.hangup.call.CallScope")).isNotSameAs(CallScope.class);
        }
    }

    private static void within(ContextSnapshot snapshot, Runnable task) {
        snapshot.wrap(task).run();
    }

    private static URL url(URI place) {
        try {
            return place.toURL();
        } catch (java.net.MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
