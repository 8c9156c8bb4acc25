package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A caller hangs up, and the worker is free. */
final class DepartureIT {
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /slow", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(30)))
            .endpoint("GET /late", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(400)))
            .build();

    @EachContainer
    void finAndResetInterruptTheWorker(ContainerKind kind) throws IOException {
        Slow slow = new Slow();
        try (Hangup hangup = Hangup.builder().policy(POLICY).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", slow))) {
            RawClient fin = RawClient.connect(container).get("/slow");
            RawClient rst = RawClient.connect(container).get("/slow");
            await().untilAsserted(() -> assertThat(slow.entered).hasValue(2));
            long before = System.nanoTime();
            fin.close();
            rst.rst();
            await().untilAsserted(() -> assertThat(slow.interrupted).hasValue(2));
            System.out.println(kind + " released after " + (System.nanoTime() - before) / 1e6 + " ms");
            await().untilAsserted(() -> assertThat(container.busyWorkers()).isZero());
        }
    }

    @EachContainer
    void deadlineIs504(ContainerKind kind) throws IOException {
        Slow slow = new Slow();
        try (Hangup hangup = Hangup.builder().policy(POLICY).build();
                Container container =
                        kind.start(new Site().filter(new HangupFilter(hangup)).servlet("/*", slow));
                RawClient client = RawClient.connect(container)) {
            RawResponse response = client.get("/late").response();
            System.out.println(kind + " " + response);
            assertThat(response.status()).isEqualTo(504);
            assertThat(client.get("/late").response().status()).isEqualTo(504);
        }
    }

    private static final class Slow extends HttpServlet {
        private static final long serialVersionUID = 1L;
        final AtomicInteger entered = new AtomicInteger();
        final AtomicInteger interrupted = new AtomicInteger();

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            entered.incrementAndGet();
            try {
                Thread.sleep(20_000);
                response.getWriter().print("done");
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
                throw new IOException(Call.current().cancelReason() + "", e);
            }
        }
    }
}
