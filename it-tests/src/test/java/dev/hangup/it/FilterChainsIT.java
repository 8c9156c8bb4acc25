package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Applications with filters of their own, before ours and behind it, answer with Hangup as they do without it: observing or
 * cancelling, as long as nothing is cancelled.
 */
final class FilterChainsIT {

    private static final Policy OBSERVING = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .build();
    private static final Policy CANCELLING = Policy.builder()
            .mode(Mode.CANCEL)
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("POST /parts", Entry.of(Mode.CANCEL))
            .build();

    private static final String[] HEADERS = {
        "User: somebody", "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https", "X-Forwarded-Host: example.com"
    };
    private static final List<String> PATHS = List.of(
            "/text", "/stream", "/who", "/error", "/exception", "/forward", "/include", "/async", "/async-text");

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
    void chainsAnswerAsWithoutHangup(ContainerKind kind, Chain before, Chain behind) throws Exception {
        Seen without = Seen.of(kind, before, behind, null);
        Seen observing = Seen.of(kind, before, behind, OBSERVING);
        Seen cancelling = Seen.of(kind, before, behind, CANCELLING);
        assertThat(without.answers).hasSize(PATHS.size() + 3);
        for (Seen with : List.of(observing, cancelling)) {
            assertThat(with.observed).containsExactlyElementsOf(without.observed);
            for (int i = 0; i < without.answers.size(); i++) {
                assertThat(with.answers.get(i)).isEqualTo(without.answers.get(i));
            }
        }
    }

    /**
     * What there is to see from outside.
     *
     * @param answers of all that was asked, in order
     * @param observed by the filters
     */
    private record Seen(List<String> answers, List<String> observed) {

        static Seen of(ContainerKind kind, Chain before, Chain behind, @Nullable Policy policy) throws IOException {
            List<String> answers = new ArrayList<>();
            Queue<String> observed = new ConcurrentLinkedQueue<>();
            try (Silence silence = Silence.ofContainers();
                    Hangup hangup = policy == null
                            ? Hangup.builder().build()
                            : Hangup.builder().policy(policy).build();
                    Container container = kind.start(site(
                            before.filter(observed),
                            policy == null ? null : new HangupFilter(hangup),
                            behind.filter(observed)))) {
                for (String path : PATHS) {
                    answers.add(text(path, RawClient.ask(container, path, HEADERS)));
                }
                answers.add(text("nobody", RawClient.ask(container, "/text")));
                try (RawClient client = RawClient.connect(container)) {
                    answers.add(text(
                            "head",
                            client.send(RawClient.head("HEAD", "/text", HEADERS) + "\r\n")
                                    .head()));
                    String file = "x".repeat(100_000);
                    String parts = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n" + file
                            + "\r\n--b--\r\n";
                    String[] headers = List.of(HEADERS).toArray(new String[HEADERS.length + 1]);
                    headers[HEADERS.length] = "Content-Type: multipart/form-data; boundary=b";
                    answers.add(text(
                            "parts",
                            client.post("/parts", parts.getBytes(StandardCharsets.US_ASCII), headers)
                                    .response()));
                }
            }
            return new Seen(answers, List.copyOf(observed));
        }

        private static String text(String what, RawResponse response) {
            response.headers().remove("date");
            String text = what + " " + response;
            return text.replaceAll("(localhost|127\\.0\\.0\\.1):\\d+", "here");
        }
    }

    private static Site site(Filter before, @Nullable Filter ours, Filter behind) {
        Site site = new Site().filter(before);
        if (ours != null) {
            site.filter(ours);
        }
        return site.filter(behind)
                .errorPage(418, "/page")
                .errorPage(500, "/page")
                .initializer(context -> {
                    ServletRegistration.Dynamic servlet =
                            context.addServlet("application", new LambdaServlet(FilterChainsIT::serve));
                    servlet.setAsyncSupported(true);
                    servlet.setMultipartConfig(
                            new MultipartConfigElement(System.getProperty("java.io.tmpdir"), -1, -1, 1_000));
                    servlet.addMapping("/*");
                });
    }

    private static void serve(HttpServletRequest request, HttpServletResponse response) throws Exception {
        String path = request.getDispatcherType() == DispatcherType.INCLUDE
                ? String.valueOf(request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI))
                : request.getRequestURI();
        switch (path) {
            case "/stream" -> {
                response.getOutputStream().write(new byte[30_000]);
                response.getOutputStream().flush();
                response.getOutputStream().write(new byte[30_000]);
            }
            case "/who" -> {
                response.setHeader("Where", request.getScheme() + " " + request.getServerName());
                response.getWriter()
                        .print(request.getRemoteUser() + " " + request.getRemoteAddr() + " " + request.isSecure());
            }
            case "/error" -> response.sendError(418, "a pot");
            case "/exception" -> throw new IllegalStateException("a bug");
            case "/page" ->
                response.getWriter()
                        .print("page " + request.getDispatcherType() + " "
                                + request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) + " "
                                + request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI));
            case "/forward" -> {
                response.getWriter().print("dropped");
                request.getRequestDispatcher("/text").forward(request, response);
            }
            case "/include" -> {
                response.getWriter().print("before ");
                request.getRequestDispatcher("/text").include(request, response);
                response.getWriter().print(" after");
            }
            case "/async" -> request.startAsync().dispatch("/text");
            case "/async-text" -> {
                if (request.getDispatcherType() == DispatcherType.ASYNC) {
                    response.getWriter().print("text " + request.getDispatcherType());
                } else {
                    request.startAsync(request, response).dispatch();
                }
            }
            case "/parts" -> {
                Part file = request.getPart("file");
                response.getWriter()
                        .print(file.getName() + " " + file.getSize() + " "
                                + new String(file.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                                        .hashCode());
            }
            default -> {
                response.setContentType("text/plain");
                response.getWriter().print("text " + request.getDispatcherType() + " " + "Grusz ".repeat(500));
            }
        }
    }
}
