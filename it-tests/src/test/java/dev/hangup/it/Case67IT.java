package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.AsyncContext;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;

/**
 * What the containers' own timeouts do and do not do; the README has it as a table. Scaled: half a second stands for the 30 of
 * an idle timeout, two seconds for work of 31 and more.
 */
@DisplayName("case 67: a container's timeouts are none of a request")
final class Case67IT {

    private static final Duration TIMEOUT = Duration.ofMillis(800);
    /** Between two of the idle timeout's alarms: Jetty may close a connection in the very instant in which its request ends. */
    private static final Duration DEADLINE = TIMEOUT.multipliedBy(3).dividedBy(2);

    private static final Duration WORK = Duration.ofSeconds(2);
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /work", Entry.of(Mode.CANCEL).normal(DEADLINE))
            .endpoint("GET /async", Entry.of(Mode.CANCEL).normal(TIMEOUT.dividedBy(2)))
            .build();

    private final AtomicInteger finished = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();

    private void work() {
        try {
            Thread.sleep(WORK.toMillis());
            finished.incrementAndGet();
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
        }
    }

    private Site idle() {
        return new Site().idleTimeout(TIMEOUT).servlet("/work", new LambdaServlet((request, response) -> {
            work();
            response.getWriter().print("worked");
        }));
    }

    @EachContainer
    void workPassesTheIdleTimeoutWhichEndsTheIdleConnectionAfterIt(ContainerKind kind) throws Exception {
        try (Container container = kind.start(idle());
                RawClient client = RawClient.connect(container)) {
            assertThat(client.get("/work").response().body()).isEqualTo("worked");
            assertThat(finished).hasValue(1);
            assertThat(client.endsWithin(Duration.ofSeconds(10))).isTrue();
        }
    }

    @EachContainer
    void hangupsDeadlineEndsTheWorkAndKeepsTheConnection(ContainerKind kind) throws Exception {
        try (Hangup hangup = Hangup.builder().policy(POLICY).build();
                Container container = kind.start(idle().filter(new HangupFilter(hangup)));
                RawClient client = RawClient.connect(container)) {
            for (int i = 1; i <= 2; i++) {
                assertThat(client.get("/work").response().status()).isEqualTo(504);
                assertThat(interrupted).hasValue(i);
            }
            assertThat(finished).hasValue(0);
        }
    }

    /** An asynchronous cycle's timeout answers the caller, and lets the work go on. */
    @EachContainer
    void theAsyncTimeoutEndsTheAnswerAndNotTheWork(ContainerKind kind) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Site site = new Site().servlet("/async", new LambdaServlet((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(TIMEOUT.toMillis());
            pool.execute(Call.current().wrap(this::work));
        }));
        try (Hangup hangup = Hangup.builder().policy(POLICY).build()) {
            try (Container container = kind.start(site)) {
                assertThat(RawClient.ask(container, "/async").status()).isEqualTo(500);
                assertThat(interrupted).hasValue(0);
                await().untilAsserted(() -> assertThat(finished).hasValue(1));
            }
            try (Container container = kind.start(site.filter(new HangupFilter(hangup)))) {
                assertThat(RawClient.ask(container, "/async").status()).isEqualTo(504);
                await().untilAsserted(() -> assertThat(interrupted).hasValue(1));
                assertThat(finished).hasValue(1);
            }
        } finally {
            pool.shutdownNow();
        }
    }
}
