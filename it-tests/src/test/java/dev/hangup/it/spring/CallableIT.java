package dev.hangup.it.spring;

import static dev.hangup.it.Scrape.endpoint;
import static dev.hangup.it.Scrape.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.call.CallerAware;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.Logged;
import dev.hangup.it.RawClient;
import dev.hangup.it.RawResponse;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.config.annotation.AsyncSupportConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** What a handler returns for Spring to run on another thread is its call's. */
@Tag("spring")
final class CallableIT {

    /** One thread, so that whatever comes next on it comes after; gone when nothing does for a second. */
    private static final ThreadPoolExecutor POOL =
            new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());

    static {
        POOL.allowCoreThreadTimeOut(true);
    }

    private static final Policy POLICY = PolicyFile.parse("hangup.yaml", """
                    deadlines:
                      endpoints:
                        "GET /entry": { mode: cancel, normal: 30s }
                    """).policy();

    /** Of the work that is under way; each test has its own. */
    private static volatile CountDownLatch begun = new CountDownLatch(1);

    private static volatile CountDownLatch interrupted = new CountDownLatch(1);
    private static volatile CountDownLatch released = new CountDownLatch(1);
    private static volatile long interruptedAt;
    private static volatile long overAt;

    /** Sleeps for long; interrupted, it goes on until it is released. */
    private static String work() {
        begun.countDown();
        try {
            Thread.sleep(20_000);
            return "done";
        } catch (InterruptedException e) {
            interruptedAt = System.nanoTime();
            interrupted.countDown();
            awaitRelease();
            overAt = System.nanoTime();
            throw new IllegalStateException(e);
        }
    }

    /** Deaf to interrupts; whether there was one. */
    private static boolean awaitRelease() {
        boolean disturbed = false;
        while (released.getCount() > 0) {
            LockSupport.parkNanos(10_000_000);
            disturbed |= Thread.interrupted();
        }
        return disturbed;
    }

    static final class Threads implements WebMvcConfigurer {

        @Override
        public void configureAsyncSupport(AsyncSupportConfigurer configurer) {
            configurer.setTaskExecutor(new TaskExecutorAdapter(POOL));
        }
    }

    @RestController
    static final class Reports {

        @GetMapping("/callable")
        @CallerAware(deadline = "30s")
        Callable<String> callable() {
            return CallableIT::work;
        }

        @GetMapping("/task")
        @CallerAware(deadline = "30s")
        WebAsyncTask<String> task() {
            return new WebAsyncTask<>(25_000L, new TaskExecutorAdapter(POOL), CallableIT::work);
        }

        @GetMapping("/streaming")
        @CallerAware(deadline = "30s")
        StreamingResponseBody streaming() {
            return out -> work();
        }

        @GetMapping("/entry")
        Callable<String> entry() {
            return CallableIT::work;
        }

        @GetMapping("/brief")
        @CallerAware(deadline = "700ms")
        Callable<String> brief() {
            return CallableIT::work;
        }

        @GetMapping("/quick")
        @CallerAware(deadline = "30s")
        Callable<String> quick() {
            return () -> {
                begun.countDown();
                return Call.current().endpoint();
            };
        }

        @GetMapping("/observed")
        Callable<String> observed() {
            return () -> {
                begun.countDown();
                if (awaitRelease()) {
                    interrupted.countDown();
                }
                return "observed";
            };
        }
    }

    private static Stage stage(ContainerKind kind) {
        return Stage.start(kind, POLICY, Application.site("/", Threads.class, Reports.class));
    }

    @BeforeEach
    void start() {
        renew();
    }

    private static void renew() {
        begun = new CountDownLatch(1);
        interrupted = new CountDownLatch(1);
        released = new CountDownLatch(1);
    }

    @EachContainer
    void itsThreadIsInterruptedAndCounted(ContainerKind kind) throws Exception {
        try (Stage stage = stage(kind);
                Logged logged = Logged.begin()) {
            for (String path : new String[] {"/callable", "/task", "/streaming", "/entry"}) {
                renew();
                RawClient caller = stage.client().get(path);
                begun.await();
                long leftAt = System.nanoTime();
                caller.close();
                await().untilAsserted(() -> assertThat(interrupted.getCount()).isZero());
                await().untilAsserted(
                                () -> assertThat(stage.scrape().sum("hangup_unowned_seconds", endpoint("GET " + path)))
                                        .isGreaterThan(0.3));
                assertThat(stage.scrape().count("hangup_unowned_calls", endpoint("GET " + path)))
                        .isEqualTo(1);
                released.countDown();
                await().untilAsserted(() ->
                        assertThat(stage.scrape().momentary().values()).allMatch(value -> value == 0));
                assertThat(stage.scrape().count("hangup_calls_total", endpoint("GET " + path), outcome("cancelled")))
                        .isEqualTo(1);
                assertThat(stage.scrape().sum("hangup_unowned_work_seconds_total", endpoint("GET " + path)))
                        .isBetween(seconds(overAt - interruptedAt), seconds(System.nanoTime() - leftAt));
            }
            logged.assertNoAlarms();
        }
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }

    @EachContainer
    void whereNothingIsCancelledItIsCountedOnly(ContainerKind kind) throws Exception {
        try (Stage stage = stage(kind)) {
            RawClient leaving = stage.client().get("/observed");
            begun.await();
            leaving.close();
            await().untilAsserted(() ->
                    assertThat(stage.scrape().sum("hangup_unowned_seconds")).isGreaterThan(0.3));
            released.countDown();
            await().untilAsserted(() -> assertThat(stage.scrape()
                            .count("hangup_calls_total", endpoint("GET /observed"), outcome("would_cancel")))
                    .isEqualTo(1));
            assertThat(stage.scrape().momentary().values()).allMatch(value -> value == 0);
            assertThat(interrupted.getCount()).isEqualTo(1);
        }
    }

    @EachContainer
    void itIsInterruptedAtTheDeadlineAndItsThreadNotAfterwards(ContainerKind kind) throws Exception {
        released.countDown();
        try (Stage stage = stage(kind)) {
            RawResponse late = RawClient.ask(stage.container, "/brief");
            assertThat(late.status()).isEqualTo(504);
            await().untilAsserted(() -> assertThat(interrupted.getCount()).isZero());
            assertThat(POOL.submit(() -> Thread.interrupted()).get()).isFalse();
            assertThat(POOL.submit(() -> Call.current().endpoint()).get()).doesNotContain("/brief");
            assertThat(RawClient.ask(stage.container, "/quick").body()).isEqualTo("GET /quick");
        }
    }

    @EachContainer
    void whatIsQueuedWhenItsCallerLeavesNeverRuns(ContainerKind kind) throws Exception {
        try (Stage stage = stage(kind);
                Logged logged = Logged.begin()) {
            CountDownLatch busy = occupy();
            RawClient leaving = stage.client().get("/quick");
            await().until(() -> POOL.getQueue().size() == 1);
            leaving.close();
            await().untilAsserted(() -> assertThat(
                            stage.scrape().count("hangup_calls_total", endpoint("GET /quick"), outcome("cancelled")))
                    .isEqualTo(1));
            assertThat(stage.scrape().sum("hangup_unowned_calls")).isZero();
            busy.countDown();
            POOL.submit(() -> {}).get();
            assertThat(begun.getCount()).isEqualTo(1);
            logged.assertNoAlarms();
        }
    }

    /** The same queue with a caller who waits: it runs. */
    @EachContainer
    void whatIsQueuedForACallerWhoWaitsRuns(ContainerKind kind) throws Exception {
        try (Stage stage = stage(kind)) {
            CountDownLatch busy = occupy();
            RawClient waiting = stage.client().get("/quick");
            await().until(() -> POOL.getQueue().size() == 1);
            busy.countDown();
            assertThat(waiting.response().body()).isEqualTo("GET /quick");
        }
    }

    private static CountDownLatch occupy() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(1);
        POOL.execute(() -> {
            inside.countDown();
            try {
                busy.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        inside.await();
        return busy;
    }
}
