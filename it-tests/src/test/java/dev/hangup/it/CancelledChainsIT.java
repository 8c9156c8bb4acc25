package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.AsyncContext;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A passed deadline is answered as such, whatever filters before ours and behind it make of the exception that the work ends by. */
final class CancelledChainsIT {

    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static final Entry LATE = Entry.of(Mode.CANCEL).normal(Duration.ofMillis(150));
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /late", LATE)
            .endpoint("GET /forwarded", LATE)
            .endpoint("GET /included", LATE)
            .endpoint("GET /late-async", LATE)
            .build();

    @ParameterizedTest(name = "{0}, {1} before")
    @CsvSource({
        "JETTY, SECURITY, GZIP",
        "JETTY, GZIP, SECURITY",
        "JETTY, FORWARDED, OBSERVATION",
        "JETTY, OBSERVATION, FORWARDED",
        "TOMCAT, SECURITY, GZIP",
        "TOMCAT, GZIP, SECURITY",
        "TOMCAT, FORWARDED, OBSERVATION",
        "TOMCAT, OBSERVATION, FORWARDED"
    })
    void deadlineIsAnsweredThroughTheChain(ContainerKind kind, Chain before, Chain behind) throws Exception {
        AtomicInteger pages = new AtomicInteger();
        Queue<String> observed = new ConcurrentLinkedQueue<>();
        ExecutorService workers = Executors.newCachedThreadPool();
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).build();
                Container container = kind.start(new Site()
                        .filter(before.filter(observed))
                        .filter(new HangupFilter(hangup))
                        .filter(behind.filter(observed))
                        .servlet("/late", new LambdaServlet((request, response) -> {
                            response.getWriter().print("half an answer");
                            NEVER.await();
                        }))
                        .servlet("/forwarded", new LambdaServlet((request, response) -> request.getRequestDispatcher(
                                        "/late")
                                .forward(request, response)))
                        .servlet("/included", new LambdaServlet((request, response) -> request.getRequestDispatcher(
                                        "/late")
                                .include(request, response)))
                        .servlet("/late-async", new LambdaServlet((request, response) -> {
                            AsyncContext async = request.startAsync();
                            Call.current().executor(workers).execute(() -> {
                                try {
                                    async.getResponse().getWriter().print("half an answer");
                                    NEVER.await();
                                } catch (Exception e) {
                                    async.complete();
                                }
                            });
                        }))
                        .servlet("/page", new LambdaServlet((request, response) -> pages.incrementAndGet()))
                        .errorPage(500, "/page")
                        .errorPage(504, "/page"))) {
            for (String path : new String[] {"/late", "/late-async"}) {
                assertDeadline(
                        RawClient.ask(container, path, "User: somebody"), before == Chain.GZIP && path.equals("/late"));
            }
            logged.assertNoAlarms();
            // Tomcat's dispatcher logs what a resource throws before any filter hears of it.
            for (String path : new String[] {"/forwarded", "/included"}) {
                assertDeadline(RawClient.ask(container, path, "User: somebody"), before == Chain.GZIP);
            }
            assertThat(pages).hasValue(0);
        } finally {
            workers.shutdownNow();
        }
    }

    /** @param zipped by a filter before ours, which is still there */
    private static void assertDeadline(RawResponse response, boolean zipped) {
        assertThat(response.status()).isEqualTo(504);
        assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(response.header("Content-Encoding")).isEqualTo(zipped ? "gzip" : null);
        if (!zipped) {
            assertThat(response.body()).startsWith("{\"type\"").endsWith("\"}");
        }
    }
}
