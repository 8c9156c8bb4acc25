package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;

/**
 * A canary for the containers, without Hangup: they have no read interest while an HTTP/1.1 request is processed, and so
 * neither end nor tell. When this fails after an upgrade, the container has learnt to notice, and the watch must be looked
 * at again.
 */
@DisplayName("case 25: without Hangup a container does not notice that its caller left")
@EachLine
final class Case25IT {

    private static final Duration LONG_ENOUGH = Duration.ofSeconds(1);

    @EachContainer
    void workerSleepsOnThroughFinAndReset(ContainerKind kind) throws IOException {
        Gate gate = new Gate();
        try (Container container = kind.start(new Site().servlet("/*", gate))) {
            RawClient fin = RawClient.connect(container).get("/fin");
            RawClient rst = RawClient.connect(container).get("/rst");
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(2));
            fin.close();
            rst.rst();
            await().during(LONG_ENOUGH).until(() -> gate.interrupted.get() == 0 && gate.answered.get() == 0);
            assertThat(container.busyWorkers()).isGreaterThanOrEqualTo(2);
            gate.open();
            // The answer to the FIN is written without an error: nothing was ever said to the application (case 18).
            await().untilAsserted(() -> assertThat(gate.answered).hasPositiveValue());
            assertThat(gate.interrupted).hasValue(0);
        }
    }

    @EachContainer
    void noListenerIsToldInAsync(ContainerKind kind) throws Exception {
        Parked parked = new Parked();
        try (Container container = kind.start(new Site().servlet("/*", parked))) {
            RawClient client = RawClient.connect(container).get("/");
            AsyncContext async = parked.context.get(5, TimeUnit.SECONDS);
            client.close();
            await().during(LONG_ENOUGH).until(parked.events::isEmpty);
            async.complete();
            await().untilAsserted(() -> assertThat(parked.events).containsExactly("complete"));
        }
    }

    /** A servlet that leaves its response to another thread, and notes what its listener hears. */
    private static final class Parked extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private final transient CompletableFuture<AsyncContext> context = new CompletableFuture<>();
        private final transient List<String> events = new CopyOnWriteArrayList<>();

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            AsyncContext async = request.startAsync();
            async.setTimeout(0);
            async.addListener(new AsyncListener() {
                @Override
                public void onComplete(AsyncEvent event) {
                    events.add("complete");
                }

                @Override
                public void onTimeout(AsyncEvent event) {
                    events.add("timeout");
                }

                @Override
                public void onError(AsyncEvent event) {
                    events.add("error");
                }

                @Override
                public void onStartAsync(AsyncEvent event) {
                    events.add("start");
                }
            });
            context.complete(async);
        }
    }
}
