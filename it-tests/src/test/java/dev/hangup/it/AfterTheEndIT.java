package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import dev.hangup.policy.Settings;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Writers of the application that go on when their response is over. The container has given its objects and buffers to somebody
 * else by then: not one byte may get there.
 */
final class AfterTheEndIT {

    private static final int WRITERS = 12;
    private static final int INNOCENTS = 4;
    private static final int QUESTIONS = 100;
    private static final String STREAM = "stream";
    private static final String WRITER = "writer";

    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ofMillis(10)))
            .endpoint("GET /events", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(60)))
            .endpoint("GET /left", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(60)))
            .endpoint("GET /answer", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(60)))
            .build();

    /** A server-sent stream whose callers leave. */
    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, PLAIN", "JETTY, H2C", "TOMCAT, PLAIN", "TOMCAT, H2C"})
    void departedCallersEventsReachNobody(ContainerKind kind, Wire wire) throws Exception {
        writersReachNobody(kind, wire, "/events");
    }

    /** A thread that was left behind by a request that is answered; on HTTP/1.1 the connection goes on with the next. */
    @ParameterizedTest(name = "{0} over {1}")
    @CsvSource({"JETTY, PLAIN", "JETTY, H2C", "TOMCAT, PLAIN", "TOMCAT, H2C"})
    void whatIsWrittenBehindAnAnswerReachesNobody(ContainerKind kind, Wire wire) throws Exception {
        writersReachNobody(kind, wire, "/left");
    }

    private static void writersReachNobody(ContainerKind kind, Wire wire, String path) throws Exception {
        Recycled recycled = new Recycled();
        Stubborn stubborn = new Stubborn();
        Site site = new Site()
                .wire(wire)
                .resetsUnlimited()
                .filter(recycled)
                .servlet("/events", new LambdaServlet((request, response) -> {
                    response.setContentType("text/event-stream");
                    AsyncContext async = request.startAsync();
                    async.setTimeout(0);
                    stubborn.write(request.getQueryString(), async.getResponse());
                }))
                .servlet("/left", new LambdaServlet((request, response) -> {
                    stubborn.write(request.getQueryString(), response);
                    Thread.sleep(5); // the other thread writes on while this one ends the response
                }))
                .servlet("/answer", new LambdaServlet((request, response) -> response.getOutputStream()
                        .print(answer(request.getQueryString()))));
        try (Silence silence = Silence.ofContainers();
                Stage stage = Stage.start(kind, POLICY, site);
                KeptConnection shared = new KeptConnection(stage.container, wire)) {
            List<AutoCloseable> leaving = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                String one = path + "?" + (i % 2 == 0 ? STREAM : WRITER);
                if (path.equals("/left")) {
                    assertThat(shared.answer(one)).startsWith("200 ");
                } else {
                    leaving.add(shared.leaving(one));
                }
            }
            await().until(() -> stubborn.sent.get() >= leaving.size());
            for (AutoCloseable one : leaving) {
                one.close();
            }
            Crowd.of(INNOCENTS, number -> {
                try (KeptConnection own = new KeptConnection(stage.container, wire)) {
                    for (int i = 0; i < QUESTIONS; i++) {
                        String question = number + "." + i;
                        KeptConnection asked = wire == Wire.H2C && i % 2 == 0 ? shared : own;
                        assertThat(asked.answer("/answer?" + question)).isEqualTo("200 " + answer(question));
                    }
                }
            });
            await().untilAsserted(() -> assertThat(stubborn.refusedWriters).hasValue(WRITERS));
            assertThat(stubborn.unexpected).isEmpty();
            assertThat(stubborn.sentAfterRefusal).hasValue(0);
            assertThat(recycled.touches).isEmpty();
            stubborn.stop();
            await().untilAsserted(() ->
                    assertThat(stage.scrape().count("hangup_calls_total")).isEqualTo(WRITERS + INNOCENTS * QUESTIONS));
        } finally {
            stubborn.stop();
        }
    }

    private static String answer(String question) {
        return (question + " ").repeat(3_000);
    }

    /** Writes on, whatever it is told. */
    private static final class Stubborn {

        final AtomicInteger sent = new AtomicInteger();
        /** Writers that have been refused many times. */
        final AtomicInteger refusedWriters = new AtomicInteger();

        final AtomicInteger sentAfterRefusal = new AtomicInteger();
        final Queue<Exception> unexpected = new ConcurrentLinkedQueue<>();
        private final ExecutorService threads = Executors.newCachedThreadPool();

        void write(String how, ServletResponse response) throws IOException {
            Writing one = how.equals(STREAM) ? stream(response) : writer(response);
            threads.execute(() -> {
                int refused = 0;
                while (!Thread.currentThread().isInterrupted()) {
                    try {
                        one.event();
                        sent.incrementAndGet();
                        sentAfterRefusal.addAndGet(refused > 0 ? 1 : 0);
                    } catch (IOException e) {
                        refusedWriters.addAndGet(++refused == 50 ? 1 : 0);
                    } catch (RuntimeException e) {
                        unexpected.add(e);
                    }
                    LockSupport.parkNanos(1_000_000);
                }
            });
        }

        private static Writing stream(ServletResponse response) throws IOException {
            ServletOutputStream out = response.getOutputStream();
            return () -> {
                out.print("data: somebody else's\n\n");
                out.flush();
            };
        }

        private static Writing writer(ServletResponse response) throws IOException {
            PrintWriter writer = response.getWriter();
            return () -> {
                writer.print("data: somebody else's\n\n");
                response.flushBuffer();
                if (writer.checkError()) {
                    throw new IOException("refused");
                }
            };
        }

        void stop() {
            threads.shutdownNow();
        }
    }

    private interface Writing {
        void event() throws IOException;
    }
}
