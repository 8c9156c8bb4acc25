package dev.hangup.it.spring;

import static dev.hangup.it.Scrape.endpoint;
import static dev.hangup.it.Scrape.label;
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
import dev.hangup.it.Silence;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** {@code @CallerAware} on handler methods, and calls by the names of their routes. */
@Tag("spring")
final class SpringMvcIT {

    private static final AtomicInteger BEGUN = new AtomicInteger();
    private static final AtomicInteger INTERRUPTED = new AtomicInteger();
    private static final AtomicInteger CANCELLED = new AtomicInteger();
    private static final AtomicInteger ASKED = new AtomicInteger();

    private static String sleep(long millis) {
        BEGUN.incrementAndGet();
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            INTERRUPTED.incrementAndGet();
            throw new IllegalStateException(e);
        }
        return "done";
    }

    @Retention(RetentionPolicy.RUNTIME)
    @CallerAware(deadline = "700ms")
    @interface Brief {}

    interface Sold {
        @CallerAware(deadline = "700ms")
        String sold(int id);
    }

    @RestController
    @RequestMapping("/reports")
    static final class Reports implements Sold {

        @GetMapping("/{id:\\d+}")
        @CallerAware(deadline = "700ms")
        String report(@PathVariable int id) {
            return sleep(20_000);
        }

        @GetMapping("/{name:[a-z]+}")
        String plain(@PathVariable String name) {
            return name + " as " + Call.current().endpoint();
        }

        @GetMapping("/brief/{id}")
        @Brief
        String brief(@PathVariable int id) {
            return sleep(20_000);
        }

        @Override
        @GetMapping("/sold/{id}")
        public String sold(@PathVariable int id) {
            return sleep(20_000);
        }

        @GetMapping("/patient/{id}")
        @CallerAware(deadline = "700ms")
        String patient(@PathVariable int id) {
            return sleep(1_500);
        }

        @GetMapping("/long/{id}")
        @CallerAware(deadline = "30s")
        String lasting(@PathVariable int id) {
            return sleep(20_000);
        }

        @GetMapping("/broken")
        String broken() {
            return Objects.requireNonNull(System.getProperty("dev.hangup.none"), "broken");
        }
    }

    @RestControllerAdvice
    static final class Complaints {

        @ExceptionHandler(Exception.class)
        ResponseEntity<String> complain(Exception failure) {
            ASKED.incrementAndGet();
            return ResponseEntity.internalServerError().body("complaint: " + failure.getMessage());
        }
    }

    @RestController
    @CallerAware(deadline = "700ms")
    static final class Files {

        @GetMapping("/files/**")
        String all() throws InterruptedException {
            BEGUN.incrementAndGet();
            CountDownLatch told = new CountDownLatch(1);
            Call.current().onCancel(reason -> {
                CANCELLED.incrementAndGet();
                told.countDown();
            });
            return told.await(20, TimeUnit.SECONDS) ? "cancelled" : "too late";
        }
    }

    @Controller
    static final class Wrong {

        @GetMapping("/wrong")
        @CallerAware(deadline = "soon")
        void wrong() {}

        @GetMapping("/wrong/**")
        @CallerAware(deadline = "never")
        void worse() {}
    }

    private static final Policy POLICY = PolicyFile.parse("hangup.yaml", """
                    deadlines:
                      endpoints:
                        "GET /app/reports/patient/{id}": { normal: 30s }
                    """).policy();

    private static Stage stage(ContainerKind kind, String pattern, Class<?>... more) {
        Class<?>[] all = Arrays.copyOf(more, more.length + 2);
        all[more.length] = Reports.class;
        all[more.length + 1] = Files.class;
        return Stage.start(kind, POLICY, Application.site(pattern, all));
    }

    @EachContainer
    void handlersCancelFromTheFirstRequestOn(ContainerKind kind) throws Exception {
        int before = INTERRUPTED.get();
        try (Stage stage = stage(kind, "/app/*");
                Silence quiet = Silence.ofContainers()) {
            assertThat(stage.scrape().sum("hangup_deadline_seconds", endpoint("GET /app/reports/{id}")))
                    .isEqualTo(0.7);
            for (String report : new String[] {"{id}", "brief/{id}", "sold/{id}"}) {
                RawResponse late = RawClient.ask(stage.container, "/app/reports/" + report.replace("{id}", "7"));
                assertThat(late.status()).isEqualTo(504);
                assertThat(late.body())
                        .contains("GET /app/reports/" + report + " did not finish within its deadline of 0.700 s");
            }
            assertThat(INTERRUPTED.get() - before).isEqualTo(3);
        }
    }

    @EachContainer
    void whichHandlersCancelIsSaidOnceAtTheStart(ContainerKind kind) throws Exception {
        try (Logged logged = Logged.begin();
                Stage stage = stage(kind, "/app/*")) {
            assertThat(RawClient.ask(stage.container, "/app/reports/plain").status())
                    .isEqualTo(200);
            assertThat(logged.ours())
                    .filteredOn(line -> line.startsWith("annotated"))
                    .containsExactly("annotated endpoints that cancel: GET /app/files/**, GET /app/reports/brief/{id},"
                            + " GET /app/reports/long/{id}, GET /app/reports/patient/{id},"
                            + " GET /app/reports/sold/{id}, GET /app/reports/{id}");
        }
    }

    /** Its template, as far as the filter knows it, is an annotated one's. */
    @EachContainer
    void aHandlerWithoutTheAnnotationHasItsNameOnly(ContainerKind kind) throws Exception {
        try (Stage stage = stage(kind, "/")) {
            assertThat(RawClient.ask(stage.container, "/reports/late").body()).isEqualTo("late as GET /reports/{name}");
            await().untilAsserted(() -> assertThat(stage.scrape()
                            .count("hangup_calls_total", endpoint("GET /reports/{name}"), outcome("completed")))
                    .isEqualTo(1));
            assertThat(RawClient.ask(stage.container, "/nowhere").status()).isEqualTo(404);
            await().untilAsserted(() -> assertThat(stage.scrape().count("hangup_calls_total", endpoint("UNMATCHED")))
                    .isEqualTo(1));
        }
    }

    @EachContainer
    void theEntryGoesBeforeTheAnnotation(ContainerKind kind) throws Exception {
        try (Stage stage = stage(kind, "/app/*")) {
            assertThat(RawClient.ask(stage.container, "/app/reports/patient/7").body())
                    .isEqualTo("done");
            int begun = BEGUN.get();
            int before = INTERRUPTED.get();
            RawClient leaving = stage.client().get("/app/reports/patient/8");
            await().until(() -> BEGUN.get() == begun + 1);
            leaving.close();
            await().untilAsserted(() -> assertThat(INTERRUPTED.get() - before).isEqualTo(1));
        }
    }

    /** Known when a request has come there, too late for a guard. */
    @EachContainer
    void aPatternThatNoEntryCanSayIsCancelledWithoutAnInterrupt(ContainerKind kind) throws Exception {
        int before = CANCELLED.get();
        try (Stage stage = stage(kind, "/app/*")) {
            RawClient client = stage.client().get("/app/files/a/b");
            await().untilAsserted(() -> assertThat(CANCELLED.get() - before).isEqualTo(1));
            client.close();
            await().untilAsserted(() -> assertThat(stage.scrape()
                            .count(
                                    "hangup_cancelled_total",
                                    endpoint("GET /app/files/**"),
                                    label("reason", "endpoint_deadline")))
                    .isEqualTo(1));
        }
    }

    /** It is asked, cannot write, and Spring does not warn of that: neither where nobody reads, nor where the answer is Hangup's. */
    @EachContainer
    void anExceptionHandlerForEverythingMakesNoNoise(ContainerKind kind) throws Exception {
        try (Stage stage = stage(kind, "/app/*", Complaints.class);
                Logged logged = Logged.begin()) {
            assertThat(RawClient.ask(stage.container, "/app/reports/broken").body())
                    .isEqualTo("complaint: broken");
            int asked = ASKED.get();
            int begun = BEGUN.get();
            RawClient leaving = stage.client().get("/app/reports/long/8");
            await().until(() -> BEGUN.get() == begun + 1);
            leaving.close();
            await().untilAsserted(() -> assertThat(stage.scrape()
                            .count("hangup_calls_total", endpoint("GET /app/reports/long/{id}"), outcome("cancelled")))
                    .isEqualTo(1));
            assertThat(RawClient.ask(stage.container, "/app/reports/7").status())
                    .isEqualTo(504);
            assertThat(ASKED.get() - asked).isEqualTo(2);
            logged.assertNoAlarms();
        }
    }

    /** Jetty does not start then; Tomcat starts, and has no such servlet. */
    @EachContainer
    void deadlinesThatAreNoneStopTheStart(ContainerKind kind) {
        try (Logged logged = Logged.begin()) {
            assertThat(answers(kind)).isFalse();
            assertThat(String.join(" ", logged.alarms()))
                    .contains("@CallerAware on " + Wrong.class.getName() + ".wrong: \"soon\"")
                    .contains("@CallerAware on " + Wrong.class.getName() + ".worse: \"never\"")
                    .contains("expected a duration");
        }
    }

    private static boolean answers(ContainerKind kind) {
        try (Stage stage = Stage.start(kind, POLICY, Application.site("/", Wrong.class))) {
            return RawClient.ask(stage.container, "/wrong").status() < 400;
        } catch (IOException | RuntimeException refused) {
            return false;
        }
    }
}
