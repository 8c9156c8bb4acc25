package dev.hangup.it;

import static dev.hangup.it.Scrape.endpoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.EndpointReading;
import dev.hangup.EndpointReading.Evidence;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import dev.hangup.policy.Verdict;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** Whoever leaves a stream of events has waited for no answer; whoever leaves the same endpoint without one has. */
@EachLine
final class EventStreamIT {
    /** Enough for a pile, and for nobody to have got an answer. */
    private static final int CALLERS = 24;

    private static final List<String> WAYS = List.of("/watched", "/stopped", "/watched-async", "/stopped-async");

    private static final Policy POLICY = PolicyFile.parse("hangup.yaml", """
                        deadlines:
                          defaults: { normal: 120s }
                          endpoints:
                            "GET /watched":       { mode: observe }
                            "GET /stopped":       { mode: cancel }
                            "GET /watched-async": { mode: observe }
                            "GET /stopped-async": { mode: cancel }
                        """).policy();

    /** Begins an answer of the type that is asked for, and does not end it before it is told to. */
    private static final class Stream extends HttpServlet {
        private static final long serialVersionUID = 1L;

        private final transient CountDownLatch over = new CountDownLatch(1);
        private final transient Queue<AsyncContext> open = new ConcurrentLinkedQueue<>();

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getServletPath().endsWith("-async")) {
                AsyncContext context = request.startAsync();
                context.setTimeout(0);
                begin(request, (HttpServletResponse) context.getResponse());
                open.add(context);
                return;
            }
            begin(request, response);
            try {
                over.await();
            } catch (InterruptedException e) {
                return; // stopped
            }
        }

        private static void begin(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType(request.getQueryString().equals("events") ? "Text/Event-Stream" : "text/plain");
            response.setCharacterEncoding("UTF-8");
            response.getOutputStream().print("data: begun\n\n");
            response.flushBuffer();
        }

        void end() {
            over.countDown();
            open.forEach(AsyncContext::complete);
        }
    }

    @EachContainer
    void itsListenersTellNothingOfATimeout(ContainerKind kind) throws Exception {
        Site site = new Site().maxThreads(4 * CALLERS);
        List<Stream> streams = new ArrayList<>();
        for (String way : WAYS) {
            streams.add(new Stream());
            site.servlet(way, streams.get(streams.size() - 1));
        }
        try (Logged logged = Logged.begin();
                Stage stage = Stage.start(kind, POLICY, site)) {
            leave(stage, "events");
            assertSeen(stage, CALLERS);
            assertThat(stage.hangup.readings()).hasSize(WAYS.size()).allMatch(EventStreamIT::tellsNothing);
            assertThat(stage.scrape().series().keySet())
                    .noneMatch(series -> series.startsWith("hangup_caller_timeout_seconds"));
            assertThat(logged.ours()).noneMatch(line -> line.contains("callers wait"));

            leave(stage, "text");
            assertSeen(stage, 2 * CALLERS);
            await().untilAsserted(() -> {
                for (String way : WAYS) {
                    assertThat(stage.scrape().sum("hangup_caller_timeout_seconds", endpoint("GET " + way)))
                            .as(way)
                            .isPositive();
                }
            });
            assertThat(logged.ours()).anyMatch(line -> line.contains("GET /watched: deadline "));
            streams.forEach(Stream::end);
        }
    }

    /** Once the answer has begun; all of them at the same time. */
    private static void leave(Stage stage, String what) throws IOException {
        for (String way : WAYS) {
            List<RawClient> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                callers.add(stage.client().get(way + "?" + what));
            }
            for (RawClient caller : callers) {
                await().pollInterval(Duration.ofMillis(2))
                        .untilAsserted(() -> assertThat(caller.heard()).contains("data: begun"));
            }
            for (RawClient caller : callers) {
                caller.close();
            }
        }
    }

    private static void assertSeen(Stage stage, int departures) {
        await().untilAsserted(() -> {
            for (String way : WAYS) {
                assertThat(stage.scrape().count("hangup_caller_patience_seconds_count", endpoint("GET " + way)))
                        .as(way)
                        .isEqualTo(departures);
            }
        });
    }

    private static boolean tellsNothing(EndpointReading reading) {
        return reading.verdict() == Verdict.UNKNOWN && reading.evidence() == Evidence.NONE;
    }
}
