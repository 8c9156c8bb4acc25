package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.Call;
import dev.hangup.call.CallCancelledException;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that do not survive an interrupt, used by workers that are cancelled all the time. */
final class ShieldedFilesIT {

    private static final int CALLERS = 4;
    /** Most microseconds until a cancel. */
    private static final int MOST = 20_000;

    private static final Policy POLICY =
            Policy.builder().endpoint("GET /work", Entry.of(Mode.CANCEL)).build();

    enum Files {
        H2 {
            @Override
            Store open(Path directory) throws Exception {
                return new H2Store(directory);
            }
        },
        LUCENE {
            @Override
            Store open(Path directory) throws Exception {
                return new LuceneStore(directory);
            }
        };

        abstract Store open(Path directory) throws Exception;
    }

    @ParameterizedTest(name = "{0} on {1}")
    @CsvSource({"H2, JETTY", "H2, TOMCAT", "LUCENE, JETTY", "LUCENE, TOMCAT"})
    @DisplayName("case 35: no interrupt reaches a shielded database or index, and the cancel is raised behind it")
    void shieldedFilesSurvive(Files files, ContainerKind kind, @TempDir Path directory) throws Exception {
        shieldedFilesSurvive(files, kind, directory, 60);
    }

    @ParameterizedTest(name = "{0} on {1}")
    @CsvSource({"H2, JETTY", "H2, TOMCAT", "LUCENE, JETTY", "LUCENE, TOMCAT"})
    @Tag("soak")
    void shieldedFilesSurviveFiveHundredCancels(Files files, ContainerKind kind, @TempDir Path directory)
            throws Exception {
        shieldedFilesSurvive(files, kind, directory, 500);
    }

    private static void shieldedFilesSurvive(Files files, ContainerKind kind, Path directory, int cancels)
            throws Exception {
        try (Store store = files.open(directory)) {
            Cancelled cancelled =
                    Cancelled.work(kind, cancels, () -> Call.current().shield(() -> {
                        store.step();
                        return true;
                    }));
            assertThat(cancelled.failures).isEmpty();
            assertThat(cancelled.raised).hasValue(cancels);
            store.check();
        }
    }

    /** What the shield is for; and that the cancels above come where they hurt. */
    @ParameterizedTest
    @EnumSource
    void filesWithoutAShieldAreClosed(Files files, @TempDir Path directory) throws Exception {
        Store store = files.open(directory);
        try {
            Cancelled cancelled = Cancelled.work(ContainerKind.JETTY, 400, () -> {
                store.step();
                return true;
            });
            assertThat(cancelled.failures).anyMatch(ShieldedFilesIT::isClosed);
        } finally {
            IOUtils.closeWhileHandlingException(store); // broken as it is
        }
    }

    /** Whoever comes second finds them closed. */
    private static boolean isClosed(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ClosedChannelException || cause instanceof AlreadyClosedException) {
                return true;
            }
        }
        return false;
    }

    /** What has become of this many requests, each of which works until it is cancelled. */
    private static final class Cancelled {

        final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        final AtomicInteger raised = new AtomicInteger();

        static Cancelled work(ContainerKind kind, int cancels, Callable<Boolean> step) throws Exception {
            Cancelled cancelled = new Cancelled();
            Random random = Seed.random(kind + ", " + cancels + " cancels");
            ScheduledExecutorService cancelling = Executors.newScheduledThreadPool(2);
            Site site = new Site().servlet("/work", new LambdaServlet((request, response) -> {
                Call call = Call.current();
                Future<?> unused = cancelling.schedule(call::cancel, random.nextInt(MOST), TimeUnit.MICROSECONDS);
                cancelled.untilCancelled(step);
            }));
            try (Silence silence = Silence.ofContainers();
                    Stage stage = Stage.start(kind, POLICY, site)) {
                Crowd.of(CALLERS, number -> {
                    for (int i = 0; i < cancels / CALLERS && cancelled.failures.isEmpty(); i++) {
                        assertThat(RawClient.ask(stage.container, "/work").status())
                                .isIn(503, 500);
                    }
                });
                assertThat(stage.turnstile.interrupted).hasValue(0);
            } finally {
                cancelling.shutdownNow();
            }
            return cancelled;
        }

        private void untilCancelled(Callable<Boolean> step) throws Exception {
            try {
                while (step.call()) {
                    Call.current().throwIfCancelled();
                }
            } catch (CallCancelledException e) {
                raised.incrementAndGet();
                throw e;
            } catch (Exception | AssertionError e) {
                failures.add(e);
                throw e;
            }
        }
    }
}
