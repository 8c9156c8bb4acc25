package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.Logged;
import dev.hangup.it.RawClient;
import dev.hangup.it.Stage;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.CompletionCallback;
import jakarta.ws.rs.container.ConnectionCallback;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A suspended response is answered by one of all those who may, and completes once: threads of the application, a timeout, the
 * method that fails, a cancel, a callback.
 */
@EachLine
final class AnsweredOnceIT {
    private static final int THREADS = 4;
    private static final int ROUNDS = 300;
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /works", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(400)))
            .endpoint("GET /many", Entry.of(Mode.CANCEL))
            .endpoint("GET /cancelled", Entry.of(Mode.CANCEL))
            .endpoint("GET /timeout", Entry.of(Mode.CANCEL))
            .build();
    /** The observed calls are too young to be looked at. */
    private static final Policy LOOKING_LATE = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ofMinutes(1)))
            .build();

    private static ExecutorService pool = Executors.newCachedThreadPool();
    private static final AtomicInteger COMPLETED = new AtomicInteger();
    private static final AtomicInteger ANSWERED = new AtomicInteger();
    private static final AtomicInteger TRIED = new AtomicInteger();
    private static final AtomicInteger TOLD = new AtomicInteger();
    private static final Queue<AsyncResponse> SUSPENDED = new ConcurrentLinkedQueue<>();

    @AfterEach
    void end() {
        pool.shutdownNow();
    }

    @BeforeEach
    void begin() {
        pool = Executors.newCachedThreadPool();
        reset();
        SUSPENDED.clear();
        TOLD.set(0);
    }

    private static void reset() {
        COMPLETED.set(0);
        ANSWERED.set(0);
        TRIED.set(0);
    }

    @Path("/")
    public static final class Suspends {
        /** On the method's own thread, which the cancel interrupts. */
        @GET
        @Path("works")
        public void works(@Suspended AsyncResponse response) throws InterruptedException {
            count(response);
            Thread.sleep(20_000);
        }

        @GET
        @Path("many")
        public void many(@Suspended AsyncResponse response) {
            count(response);
            CyclicBarrier start = new CyclicBarrier(THREADS);
            for (int i = 0; i < THREADS; i++) {
                answer(response, start);
            }
        }

        @GET
        @Path("cancelled")
        public void cancelled(@Suspended AsyncResponse response) {
            count(response);
            CyclicBarrier start = new CyclicBarrier(THREADS);
            Call call = Call.current();
            pool.execute(() -> {
                meet(start);
                call.cancel();
            });
            for (int i = 1; i < THREADS; i++) {
                answer(response, start);
            }
        }

        @GET
        @Path("timeout")
        public void timeout(@Suspended AsyncResponse response) {
            count(response);
            response.setTimeout(50, TimeUnit.MILLISECONDS);
        }

        @GET
        @Path("kept")
        public void kept(@Suspended AsyncResponse response) {
            count(response);
            response.register((ConnectionCallback) gone -> TOLD.incrementAndGet());
            SUSPENDED.add(response);
        }

        /** Answers who has left, with more than any buffer takes. */
        @GET
        @Path("callback")
        public void callback(@Suspended AsyncResponse response) {
            count(response);
            response.register((ConnectionCallback) gone -> {
                gone.resume(endless());
                TOLD.incrementAndGet();
            });
            SUSPENDED.add(response);
        }

        private static void count(AsyncResponse response) {
            response.register((CompletionCallback) failure -> COMPLETED.incrementAndGet());
        }

        private static void answer(AsyncResponse response, CyclicBarrier start) {
            pool.execute(() -> {
                meet(start);
                if (response.resume("an answer")) {
                    ANSWERED.incrementAndGet();
                }
                TRIED.incrementAndGet();
            });
        }
    }

    private static void meet(CyclicBarrier start) {
        try {
            start.await(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Until nobody takes it. */
    private static StreamingOutput endless() {
        return out -> {
            byte[] block = new byte[10_000];
            while (true) {
                out.write(block);
                out.flush();
            }
        };
    }

    @EachContainer
    void aMethodThatFailsForItsCancelDoesNotAnswerASecondTime(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, JerseySite.of(Suspends.class));
                Logged log = Logged.begin()) {
            for (int i = 0; i < 3; i++) {
                reset();
                assertThat(RawClient.ask(stage.container, "/works").status()).isEqualTo(504);
                await().until(() -> stage.container.busyWorkers() == 0);
                assertThat(COMPLETED).hasValue(1);
            }
            log.assertNoAlarms();
        }
    }

    @EachContainer
    void ofSeveralThreadsOneAnswers(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, JerseySite.of(Suspends.class));
                Logged log = Logged.begin()) {
            for (int i = 0; i < ROUNDS; i++) {
                reset();
                assertThat(RawClient.ask(stage.container, "/many").body()).isEqualTo("an answer");
                await().pollInterval(Duration.ofMillis(1)).until(() -> TRIED.get() == THREADS);
                assertThat(ANSWERED).as("round " + i).hasValue(1);
                assertThat(COMPLETED).as("round " + i).hasValue(1);
            }
            log.assertNoAlarms();
        }
    }

    @EachContainer
    void ofThoseAndACancelOneAnswers(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, JerseySite.of(Suspends.class));
                Logged log = Logged.begin()) {
            for (int i = 0; i < ROUNDS; i++) {
                reset();
                try {
                    assertThat(RawClient.ask(stage.container, "/cancelled").status())
                            .isIn(200, 503);
                } catch (IOException brokenOff) {
                    // in the midst of an answer
                }
                await().pollInterval(Duration.ofMillis(1))
                        .until(() -> TRIED.get() == THREADS - 1 && COMPLETED.get() > 0);
                assertThat(ANSWERED.get()).as("round " + i).isLessThan(2);
                assertThat(COMPLETED).as("round " + i).hasValue(1);
            }
            await().untilAsserted(() ->
                    assertThat(stage.scrape().count("hangup_calls_total")).isEqualTo(ROUNDS));
            log.assertNoAlarms();
        }
    }

    @EachContainer
    void aTimeoutIsAnsweredAsWithoutUs(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, JerseySite.of(Suspends.class))) {
            assertThat(RawClient.ask(stage.container, "/timeout").status()).isEqualTo(503);
            await().untilAsserted(() -> assertThat(COMPLETED).hasValue(1));
        }
    }

    @EachContainer
    void aCallbackMayAnswerThoughItCannotBeWritten(ContainerKind kind) throws Exception {
        Policy observing = Policy.builder()
                .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
                .build();
        try (Stage stage = Stage.start(kind, observing, JerseySite.of(Suspends.class));
                Logged log = Logged.begin()) {
            leave(stage, "/callback");
            await().untilAsserted(() -> assertThat(TOLD).hasValue(1));
            assertThat(COMPLETED).hasValue(1);
            log.assertNoAlarms();
        }
    }

    @EachContainer
    void aDepartureThatOnlyAWriteNoticesIsTold(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, LOOKING_LATE, JerseySite.of(Suspends.class));
                Logged log = Logged.begin()) {
            leave(stage, "/kept");
            assertThat(SUSPENDED.remove().resume(endless())).isTrue();
            assertThat(TOLD).hasValue(1);
            assertThat(COMPLETED).hasValue(1);
            log.assertNoAlarms();
        }
    }

    private static void leave(Stage stage, String path) throws Exception {
        RawClient caller = stage.client().get(path);
        await().until(() -> SUSPENDED.size() == 1);
        caller.rst();
    }
}
