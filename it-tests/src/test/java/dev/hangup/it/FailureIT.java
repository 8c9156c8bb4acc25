package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.call.Outcome;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** What a cancelled call throws: what the cancel has caused stays with us, all else is the container's to report; the answer is ours. */
@EachLine
final class FailureIT {

    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withEscalateAfter(Duration.ofSeconds(30))) // on a busy machine, too
            .endpoint("GET /late/{how}", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(300)))
            .endpoint("GET /left/{how}", Entry.of(Mode.CANCEL))
            .build();

    private static final List<String> CONSEQUENCES = List.of(
            "interrupted",
            "runtime",
            "servlet",
            "interruptedIo",
            "channel",
            "sql",
            "checkpoint",
            "child",
            "write",
            "errorAfter",
            "asyncInterrupted",
            "taskInterrupted");
    private static final List<String> FAILURES =
            List.of("bug", "error", "timeout", "constraint", "committed", "sendErrorAndBug", "asyncBug", "taskBug");

    private final AtomicInteger pages = new AtomicInteger();
    private final AtomicInteger entered = new AtomicInteger();
    private final ExecutorService children = Executors.newCachedThreadPool();

    /** In a filter inside ours, as an observation filter does: whatever was thrown is a 500 to it. */
    private static void observed(HttpServletResponse response, Work work) throws Exception {
        try {
            work.run();
        } catch (Exception e) {
            response.setStatus(500);
            throw e;
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    @EachContainer
    void consequencesOfACancelAreNobodysFailure(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        Site site = site();
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(site.filter(new HangupFilter(hangup)))) {
            Crowd.of(CONSEQUENCES.size(), number -> {
                RawResponse response = RawClient.ask(container, "/late/" + CONSEQUENCES.get(number));
                assertThat(response.status()).as(CONSEQUENCES.get(number)).isEqualTo(504);
                assertThat(response.body()).startsWith("{\"type\"").endsWith("}");
            });
            leave(container, CONSEQUENCES);
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(2 * CONSEQUENCES.size()));
            await().untilAsserted(() -> assertThat(site.accessLog()).hasSize(2 * CONSEQUENCES.size()));
            assertThat(site.accessLog())
                    .filteredOn(line -> line.startsWith("GET /left/"))
                    .allMatch(line -> line.endsWith(" 499"));
            assertThat(pages).hasValue(0);
            logged.assertNoAlarms();
        }
    }

    @EachContainer
    void failuresOfTheApplicationAreReportedAndChangeNoAnswer(ContainerKind kind) throws Exception {
        Ledger ledger = new Ledger();
        Site site = site();
        try (Logged logged = Logged.begin();
                Hangup hangup = Hangup.builder().policy(POLICY).listener(ledger).build();
                Container container = kind.start(site.filter(new HangupFilter(hangup)))) {
            Crowd.of(FAILURES.size(), number -> {
                String how = FAILURES.get(number);
                try (RawClient client = RawClient.connect(container).get("/late/" + how)) {
                    if (how.equals("committed")) {
                        assertThatThrownBy(client::response).isInstanceOf(IOException.class);
                    } else {
                        RawResponse response = response(how, client);
                        assertThat(response.status()).as(how).isEqualTo(504);
                        assertThat(response.body()).startsWith("{\"type\"").endsWith("}");
                    }
                }
            });
            leave(container, FAILURES);
            await().untilAsserted(
                            () -> assertThat(ledger.ended(Outcome.CANCELLED)).isEqualTo(2 * FAILURES.size()));
            await().untilAsserted(() -> assertThat(site.accessLog()).hasSize(2 * FAILURES.size()));
            assertThat(site.accessLog())
                    .filteredOn(line -> line.startsWith("GET /left/") && !line.contains("committed"))
                    .hasSize(FAILURES.size() - 1)
                    .allMatch(line -> line.endsWith(" 499"));
            for (String how : FAILURES) {
                assertThat(logged.alarms())
                        .filteredOn(line -> line.contains("on purpose: " + how + " "))
                        .as(how)
                        .hasSizeGreaterThanOrEqualTo(2);
            }
            assertThat(pages).as("error pages").hasValue(0);
        }
    }

    private static RawResponse response(String how, RawClient client) throws IOException {
        try {
            return client.response();
        } catch (IOException e) {
            throw new IOException("no whole answer: " + how, e);
        }
    }

    private void leave(Container container, List<String> ways) throws Exception {
        entered.set(0);
        Crowd.of(ways.size(), number -> {
            try (RawClient client = RawClient.connect(container).get("/left/" + ways.get(number))) {
                await().until(() -> entered.get() == ways.size());
            }
        });
    }

    private Site site() {
        LambdaServlet page = new LambdaServlet((request, response) -> pages.incrementAndGet());
        Site site = new Site()
                .servlet("/page", page)
                .servlet("/late/*", new LambdaServlet(this::work))
                .servlet("/left/*", new LambdaServlet(this::work));
        for (int status : new int[] {499, 500, 503, 504}) {
            site.errorPage(status, "/page");
        }
        return site;
    }

    private void work(HttpServletRequest request, HttpServletResponse response) throws Exception {
        String how = request.getPathInfo().substring(1);
        if (how.equals("committed")) {
            response.getOutputStream().print("the first half");
            response.flushBuffer();
        }
        if (how.startsWith("async")) {
            request.startAsync();
        }
        if (how.startsWith("task")) {
            request.startAsync().start(() -> {
                entered.incrementAndGet();
                try {
                    observed(response, () -> fail(how, response));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            return;
        }
        entered.incrementAndGet();
        observed(response, () -> fail(how, response));
    }

    private static String purpose(String how) {
        return "on purpose: " + how + " ";
    }

    private void fail(String how, HttpServletResponse response) throws Exception {
        switch (how) {
            case "channel" -> channel();
            case "child" -> child();
            case "checkpoint" -> {
                while (true) {
                    Call.current().throwIfCancelled();
                    Thread.onSpinWait();
                }
            }
            default -> {
                try {
                    NEVER.await();
                } catch (InterruptedException e) {
                    after(how, response, e);
                }
            }
        }
    }

    private static void after(String how, HttpServletResponse response, InterruptedException cancel) throws Exception {
        switch (how) {
            case "interrupted", "asyncInterrupted", "taskInterrupted" -> {
                Thread.currentThread().interrupt();
                throw new ServletException(cancel);
            }
            case "runtime" -> throw new IllegalStateException("the work was interrupted", cancel);
            case "servlet" -> throw new ServletException(new CompletionException(cancel));
            case "interruptedIo" -> throw new UncheckedIOException(new InterruptedIOException());
            case "sql" -> throw new IllegalStateException(new SQLException("canceling statement", "57014"));
            case "write" -> {
                try {
                    response.getWriter().print("anyway");
                    response.getWriter().flush();
                } finally {
                    response.getOutputStream().print("anyway");
                }
            }
            case "errorAfter" -> response.sendError(500, "the work was interrupted");
            case "sendErrorAndBug" -> {
                response.sendError(500, "the work was interrupted");
                throw new IllegalArgumentException(purpose(how));
            }
            case "error" -> throw new AssertionError(purpose(how));
            case "timeout" -> throw new SocketTimeoutException(purpose(how));
            case "constraint" -> throw new ServletException(new SQLException(purpose(how), "23505"));
            default -> throw new IllegalStateException(purpose(how));
        }
    }

    private static void channel() throws IOException {
        Path file = Files.createTempFile("channel", ".bin");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            while (true) {
                channel.write(ByteBuffer.allocate(16), 0);
            }
        } catch (ClosedByInterruptException e) {
            throw new UncheckedIOException(e);
        } finally {
            Files.delete(file);
        }
    }

    private void child() throws Exception {
        try {
            Call.current()
                    .executor(children)
                    .submit(() -> {
                        NEVER.await();
                        return null;
                    })
                    .get();
        } catch (InterruptedException e) {
            throw new ExecutionException("the child was interrupted", e);
        }
    }
}
