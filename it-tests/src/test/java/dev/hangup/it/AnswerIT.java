package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CallCancelledException;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.tomcat.util.json.JSONParser;
import org.junit.jupiter.api.DisplayName;

/** What a cancelled call answers, whatever its application tries to. */
@EachLine
final class AnswerIT {

    private static final Duration DEADLINE = Duration.ofMillis(200);
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withRetryAfter(Duration.ofMillis(2500)))
            .endpoint("GET /wait", Entry.of(Mode.CANCEL))
            .endpoint("GET /late", Entry.of(Mode.CANCEL).normal(DEADLINE))
            .endpoint("POST /late", Entry.of(Mode.CANCEL).normal(DEADLINE))
            .endpoint("GET /\"odd\"", Entry.of(Mode.CANCEL).normal(DEADLINE))
            .build();

    /** A filter before ours and the access log see the status; no error page is for it. */
    @EachContainer
    void departureIs499AndNoErrorPageRuns(ContainerKind kind) throws Exception {
        AtomicInteger seen = new AtomicInteger();
        AtomicInteger pages = new AtomicInteger();
        CountDownLatch entered = new CountDownLatch(2);
        Filter before = (request, response, chain) -> {
            chain.doFilter(request, response);
            seen.set(((HttpServletResponse) response).getStatus());
        };
        LambdaServlet page = new LambdaServlet((request, response) -> pages.incrementAndGet());
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            entered.countDown();
            NEVER.await();
        });
        Site site = new Site()
                .filter(before)
                .servlet("/wait", servlet)
                .servlet("/page", page)
                .errorPage(499, "/page")
                .errorPage(500, "/page");
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).build();
                Container container = kind.start(site.filter(new HangupFilter(hangup)))) {
            RawClient closing = RawClient.connect(container).get("/wait");
            RawClient resetting = RawClient.connect(container).get("/wait");
            assertThat(entered.await(5, TimeUnit.SECONDS)).isTrue();
            closing.close();
            resetting.rst();
            await().untilAsserted(() -> assertThat(site.accessLog()).containsExactly("GET /wait 499", "GET /wait 499"));
            assertThat(seen).hasValue(499);
            assertThat(pages).hasValue(0);
            logged.assertNoAlarms();
        }
    }

    @EachContainer
    @DisplayName("case 65: a passed deadline is a problem document that says how long, and the connection goes on")
    void deadlineIsAProblemDocument(ContainerKind kind) throws Exception {
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            response.setHeader("Half", "done");
            response.setContentType("text/html");
            response.getWriter().print("half an answer");
            NEVER.await();
        });
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/", servlet));
                RawClient client = RawClient.connect(container)) {
            for (String path : List.of("/late?token=secret", "/%22odd%22")) {
                RawResponse response = client.get(path).response();
                assertThat(response.status()).isEqualTo(504);
                assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
                assertThat(response.header("Retry-After")).isEqualTo("3");
                assertThat(response.header("Half")).isNull();
                Map<String, Object> problem = new JSONParser(response.body()).object();
                assertThat(problem)
                        .containsEntry("type", "about:blank")
                        .containsEntry("title", "Deadline exceeded")
                        .hasSize(4);
                assertThat(problem.get("status")).hasToString("504");
                // Tomcat 10.1.1's parser checks escapes and leaves them as they are.
                assertThat(String.valueOf(problem.get("detail")).replace("\\", ""))
                        .endsWith(" did not finish within its deadline of 0.200 s")
                        .startsWith(path.startsWith("/late") ? "GET /late did" : "GET /\"odd\" did");
            }
            logged.assertNoAlarms();
        }
    }

    /** A HEAD has the rule and the name of the GET, the same head, and no body that would be taken for the next response. */
    @EachContainer
    void headHasTheHeadOfTheGet(ContainerKind kind) throws Exception {
        LambdaServlet servlet = new LambdaServlet((request, response) -> NEVER.await());
        try (Hangup hangup = Hangup.builder().policy(POLICY).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/late", servlet));
                RawClient client = RawClient.connect(container)) {
            RawResponse get = client.get("/late").response();
            client.send(RawClient.head("HEAD", "/late") + "\r\n");
            RawResponse head = client.head();
            assertThat(head.status()).isEqualTo(504);
            for (String name : List.of("Content-Type", "Content-Length", "Retry-After")) {
                assertThat(head.header(name)).isEqualTo(get.header(name));
            }
            assertThat(client.get("/late").response().status()).isEqualTo(504);
        }
    }

    @EachContainer
    void bodyThatNobodyReadDoesNotSpoilTheNextRequest(ContainerKind kind) throws Exception {
        LambdaServlet servlet = new LambdaServlet((request, response) -> NEVER.await());
        try (Hangup hangup = Hangup.builder().policy(POLICY).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/late", servlet));
                RawClient client = RawClient.connect(container)) {
            byte[] body = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
            assertThat(client.post("/late", body).response().status()).isEqualTo(504);
            assertThat(client.get("/late").response().status()).isEqualTo(504);
        }
    }

    /** An application that takes the cancel for an error of its own, and reports it in all the ways there are. */
    @EachContainer
    void whatTheApplicationSaysAfterACancelIsRefusedInSilence(ContainerKind kind) throws Exception {
        List<String> refused = new CopyOnWriteArrayList<>();
        AtomicInteger pages = new AtomicInteger();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            try {
                NEVER.await();
            } catch (InterruptedException e) {
                report(request, response, refused);
            }
        });
        Site site = new Site()
                .servlet("/late", servlet)
                .servlet("/page", new LambdaServlet((request, response) -> pages.incrementAndGet()))
                .errorPage(500, "/page");
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).build();
                Container container = kind.start(site.filter(new HangupFilter(hangup)));
                RawClient client = RawClient.connect(container)) {
            RawResponse response = client.get("/late").response();
            assertThat(response.status()).isEqualTo(504);
            assertThat(response.headers()).doesNotContainKeys("x", "location", "set-cookie");
            assertThat(response.body()).startsWith("{\"type\"").endsWith("\"}");
            assertThat(refused)
                    .containsExactly(
                            "parameter ENDPOINT_DEADLINE",
                            "stream GET /late is cancelled: ENDPOINT_DEADLINE",
                            "writer GET /late is cancelled: ENDPOINT_DEADLINE");
            assertThat(pages).hasValue(0);
            assertThat(client.get("/late").response().status()).isEqualTo(504);
            logged.assertNoAlarms();
        }
    }

    private static void report(HttpServletRequest request, HttpServletResponse response, List<String> refused) {
        try {
            response.setStatus(500);
            response.setHeader("X", "x");
            response.addCookie(new jakarta.servlet.http.Cookie("x", "x"));
            response.reset();
            response.sendError(500, "something went wrong");
            response.sendError(500);
            response.sendRedirect("/elsewhere");
            if (request.getServletContext().getMinorVersion() > 0) { // Servlet 6.1
                response.sendRedirect("/elsewhere", 303, true);
                response.setCharacterEncoding(StandardCharsets.UTF_16);
            }
        } catch (Exception e) {
            refused.add("unexpected " + e);
        }
        try {
            request.getParameter("x"); // may read the body
        } catch (CallCancelledException e) {
            refused.add("parameter " + e.reason());
        }
        try {
            response.getOutputStream().print("an error report");
        } catch (Exception e) {
            refused.add("stream " + e.getMessage());
        }
        try {
            response.getWriter().print("an error report");
        } catch (Exception e) {
            refused.add("writer " + e.getMessage());
        }
    }

    /** Not everything that a cancelled call throws comes from the cancel. */
    @EachContainer
    void failureOfTheApplicationReachesTheContainer(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            try {
                NEVER.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("a bug of the application");
            }
        });
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/late", servlet))) {
            assertThat(RawClient.ask(container, "/late").status()).isEqualTo(504);
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(1));
            await().untilAsserted(() ->
                    assertThat(logged.alarms()).hasSize(1).allMatch(line -> line.contains("a bug of the application")));
        }
    }
}
