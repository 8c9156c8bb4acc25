package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
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

    /** CORS, security, a request's id: what filters in front of ours set for every answer is also for ours, and nothing of the application's is. */
    @EachContainer
    void headersOfFiltersInFrontStay(ContainerKind kind) throws Exception {
        ExecutorService workers = Executors.newCachedThreadPool();
        try (Hangup hangup = Hangup.builder().policy(POLICY).build();
                Container container = kind.start(new Site()
                        .filter(CancelledChainsIT::inFront)
                        .filter(new HangupFilter(hangup))
                        .servlet("/late", new LambdaServlet((request, response) -> {
                            application(response);
                            NEVER.await();
                        }))
                        .servlet("/forwarded", new LambdaServlet((request, response) -> {
                            response.reset();
                            response.setHeader("Mine", "all");
                            NEVER.await();
                        }))
                        .servlet("/included", new LambdaServlet((request, response) -> NEVER.await()))
                        .servlet("/late-async", new LambdaServlet((request, response) -> {
                            AsyncContext async = request.startAsync();
                            Call.current().executor(workers).execute(() -> {
                                application((HttpServletResponse) async.getResponse());
                                try {
                                    NEVER.await();
                                } catch (InterruptedException e) {
                                    async.complete();
                                }
                            });
                        })))) {
            for (String path : List.of("/late", "/late-async", "/included")) {
                RawResponse response = RawClient.ask(container, path);
                assertDeadline(response, false);
                assertThat(response.headers())
                        .as(path)
                        .containsEntry("x-request-id", "7")
                        .containsEntry("access-control-allow-origin", "https://example.com")
                        .containsEntry("vary", "Origin, X-Tenant")
                        .containsEntry("x-count", "1")
                        .containsEntry("set-cookie", "front=1")
                        .containsEntry("content-security-policy", "default-src 'self'")
                        .doesNotContainKeys("mine", "cache-control", "etag", "content-language", "content-encoding");
            }
            // As the application has wanted it.
            RawResponse reset = RawClient.ask(container, "/forwarded");
            assertDeadline(reset, false);
            assertThat(reset.headers()).doesNotContainKeys("x-request-id", "vary", "set-cookie", "mine");
        } finally {
            workers.shutdownNow();
        }
    }

    private static void inFront(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletResponse http = (HttpServletResponse) response;
        if (request.getDispatcherType() == DispatcherType.REQUEST) {
            http.setHeader("X-Request-Id", "7");
            http.setHeader("Access-Control-Allow-Origin", "https://example.com");
            http.addHeader("Vary", "Origin");
            http.addHeader("Vary", "X-Tenant");
            http.setIntHeader("X-Count", 1);
            http.addHeader("Set-Cookie", "front=1");
            http.setHeader("Content-Security-Policy", "default-src 'self'");
            http.setHeader("Cache-Control", "max-age=60");
            http.setHeader("ETag", "\"front\"");
        }
        chain.doFilter(request, response);
    }

    private static void application(HttpServletResponse response) {
        response.setHeader("x-request-id", "mine");
        response.addHeader("Vary", "Accept");
        response.addIntHeader("X-Count", 2);
        response.addCookie(new Cookie("session", "mine"));
        response.setDateHeader("Mine", 0);
        response.setLocale(Locale.GERMANY);
        response.setHeader("Content-Encoding", "br");
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
