package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;

/** An endpoint that may be cancelled, and is not, serves every kind of I/O as it does without Hangup: byte by byte. */
final class GuardedIoIT {

    private static final Policy POLICY = Policy.builder()
            .mode(Mode.CANCEL)
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("POST /{how}", Entry.of(Mode.CANCEL))
            .build();

    private static final String FORM = "Content-Type: application/x-www-form-urlencoded";
    private static final String PARTS = "Content-Type: multipart/form-data; boundary=x";

    @EachContainer
    @DisplayName("case 56: streams, writers, parameters, parts and listeners behave as without a guard")
    void everythingIsAsWithoutHangup(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        byte[] random = new byte[300_000];
        new Random(56).nextBytes(random);
        byte[] text = "Grüße, 東京\n".repeat(20_000).getBytes(StandardCharsets.UTF_8);
        byte[] form = "a=1&b=2&a=3".getBytes(StandardCharsets.UTF_8);
        byte[] parts = "--x\r\nContent-Disposition: form-data; name=\"p\"\r\n\r\nthe part\r\n--x--\r\n"
                .getBytes(StandardCharsets.UTF_8);
        List<Sent> requests = List.of(
                new Sent("/stream", random, "Content-Type: text/plain"),
                new Sent("/writer", text, "Content-Type: text/plain; charset=UTF-8"),
                new Sent("/parameters", form, FORM),
                new Sent("/parts", parts, PARTS),
                new Sent("/listeners", random, "Content-Type: text/plain"),
                new Sent("/forward", form, FORM),
                new Sent("/include-then-async", form, FORM),
                new Sent("/forward-to-async", form, FORM),
                new Sent("/error", form, FORM),
                new Sent("/redirect", form, FORM),
                new Sent("/redirect-303", form, FORM),
                new Sent("/headers", form, FORM),
                new Sent("/reset", form, FORM));
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container without = kind.start(site());
                Container with = kind.start(site().filter(new HangupFilter(hangup)));
                RawClient plain = RawClient.connect(without);
                RawClient guarded = RawClient.connect(with)) {
            for (Sent sent : requests) {
                RawResponse expected = sent.over(plain);
                RawResponse actual = sent.over(guarded);
                assertThat(expected.status()).as(sent.path).isBetween(200, 418);
                expected.headers().remove("date");
                actual.headers().remove("date");
                assertThat(actual.status()).as(sent.path).isEqualTo(expected.status());
                assertThat(withoutPort(actual.headers().toString()))
                        .as(sent.path)
                        .isEqualTo(withoutPort(expected.headers().toString()));
                assertThat(actual.body()).as(sent.path).isEqualTo(expected.body());
            }
            await().untilAsserted(() ->
                    assertThat(ledger.ended(Outcome.COMPLETED)).as("%s", ledger).isEqualTo(requests.size()));
            logged.assertNoAlarms();
        }
    }

    /** The body as its bytes, a character each. */
    private record Sent(String path, String body, String type) {

        Sent(String path, byte[] body, String type) {
            this(path, new String(body, StandardCharsets.ISO_8859_1), type);
        }

        RawResponse over(RawClient client) throws IOException {
            return client.post(path, body.getBytes(StandardCharsets.ISO_8859_1), type)
                    .response();
        }
    }

    private static String withoutPort(String headers) {
        return headers.replaceAll("localhost:\\d+|127\\.0\\.0\\.1:\\d+", "here");
    }

    private static Site site() {
        return new Site().initializer(context -> {
            ServletRegistration.Dynamic servlet = context.addServlet("io", new LambdaServlet(GuardedIoIT::serve));
            servlet.setAsyncSupported(true);
            servlet.setMultipartConfig(new MultipartConfigElement(System.getProperty("java.io.tmpdir")));
            servlet.addMapping("/*");
        });
    }

    private static void serve(HttpServletRequest request, HttpServletResponse response) throws Exception {
        String path = request.getRequestURI();
        if (request.getDispatcherType() == DispatcherType.FORWARD && path.equals("/forward-async")) {
            request.startAsync().dispatch();
            return;
        }
        if (request.getDispatcherType() != DispatcherType.REQUEST) {
            response.getWriter().print(request.getDispatcherType() + " " + path + " " + request.getParameter("a"));
            return;
        }
        switch (path) {
            case "/stream" -> {
                ServletOutputStream out = response.getOutputStream();
                out.println("stream");
                out.print(request.getInputStream().read());
                request.getInputStream().transferTo(out);
                out.flush();
                out.close();
            }
            case "/writer" -> {
                response.setCharacterEncoding("UTF-8");
                request.getReader().lines().forEach(line -> writer(response, line));
                response.flushBuffer();
            }
            case "/parameters" ->
                response.getWriter()
                        .print(String.join(",", request.getParameterValues("a"))
                                + request.getParameter("b")
                                + request.getParameterMap().keySet()
                                + request.getParameter("none"));
            case "/parts" ->
                response.getWriter()
                        .print(request.getParts().size()
                                + new String(
                                        request.getPart("p").getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            case "/listeners" -> {
                AsyncContext async = request.startAsync();
                request.getInputStream()
                        .setReadListener(new Reader(async, request.getInputStream(), response.getOutputStream()));
            }
            case "/forward" -> request.getRequestDispatcher("/forward-here").forward(request, response);
            case "/forward-to-async" ->
                request.getRequestDispatcher("/forward-async").forward(request, response);
            case "/error" -> response.sendError(418, "a <pot>");
            case "/redirect" -> response.sendRedirect("/elsewhere");
            case "/redirect-303" -> response.sendRedirect("/elsewhere", 303, true);
            default -> further(path, request, response);
        }
    }

    private static void further(String path, HttpServletRequest request, HttpServletResponse response)
            throws Exception {
        switch (path) {
            case "/include-then-async" -> {
                request.getRequestDispatcher("/headers").include(request, response);
                AsyncContext async = request.startAsync();
                async.dispatch();
            }
            case "/reset" -> {
                response.getWriter().print("gone");
                response.setHeader("Gone", "too");
                response.reset();
                response.getOutputStream().print("after the reset");
            }
            default -> {
                response.setIntHeader("Int", 1);
                response.addIntHeader("Int", 2);
                response.setDateHeader("When", 0);
                response.addDateHeader("When", 1_000);
                response.addHeader("Name", "value");
                response.addCookie(new jakarta.servlet.http.Cookie("name", "value"));
                response.setLocale(java.util.Locale.GERMANY);
                response.setContentType("text/html");
                response.setCharacterEncoding(StandardCharsets.UTF_8);
                response.setBufferSize(20_000);
                response.getWriter().print("gone");
                response.resetBuffer();
                response.setContentLengthLong(4);
                response.setStatus(202);
                response.getWriter().print("head");
            }
        }
    }

    private static void writer(HttpServletResponse response, String line) {
        try {
            response.getWriter().println(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads all of it as it comes, then writes all of it as it goes, and tells whether both worked for the call. */
    private record Reader(
            AsyncContext async, ServletInputStream in, ServletOutputStream out, ByteArrayOutputStream read)
            implements ReadListener {

        Reader(AsyncContext async, ServletInputStream in, ServletOutputStream out) {
            this(async, in, out, new ByteArrayOutputStream());
        }

        @Override
        public void onDataAvailable() throws IOException {
            byte[] buffer = new byte[8192];
            while (in.isReady() && !in.isFinished()) {
                int n = in.read(buffer);
                read.write(buffer, 0, Math.max(n, 0));
            }
        }

        @Override
        public void onAllDataRead() {
            out.setWriteListener(new Writer(async, out, read.toByteArray()));
        }

        @Override
        public void onError(Throwable failure) {
            async.complete();
        }
    }

    private static final class Writer implements WriteListener {
        private final AsyncContext async;
        private final ServletOutputStream out;
        private final byte[] bytes;
        private int at;

        Writer(AsyncContext async, ServletOutputStream out, byte[] bytes) {
            this.async = async;
            this.out = out;
            this.bytes = bytes;
        }

        @Override
        public void onWritePossible() throws IOException {
            while (out.isReady()) {
                if (at == bytes.length) {
                    async.complete();
                    return;
                }
                int length = Math.min(10_000, bytes.length - at);
                out.write(bytes, at, length);
                at += length;
            }
        }

        @Override
        public void onError(Throwable failure) {
            async.complete();
        }
    }

    /** What listeners do, they do for the call, and a cancel that they meet is no failure of theirs. */
    @EachContainer
    void listenersWorkForTheCall(ContainerKind kind) throws Exception {
        LambdaServlet servlet = new LambdaServlet((request, response) -> {
            Call call = Call.current();
            AsyncContext async = request.startAsync();
            ServletOutputStream out = response.getOutputStream();
            out.setWriteListener(new WriteListener() {
                @Override
                public void onWritePossible() throws IOException {
                    if (out.isReady()) {
                        out.print(String.valueOf(Call.current() == call));
                        async.complete();
                    }
                }

                @Override
                public void onError(Throwable failure) {
                    async.complete();
                }
            });
        });
        try (Hangup hangup = Hangup.builder().policy(POLICY).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", servlet))) {
            assertThat(RawClient.ask(container, "/").body()).isEqualTo("true");
        }
    }
}
