package dev.hangup.it;

import static dev.hangup.it.Scrape.endpoint;
import static dev.hangup.it.Scrape.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallerAware;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** {@code @CallerAware} on servlet classes: known before the first request, and behind the policy's entry key by key. */
final class AnnotatedServletIT {

    private static final AtomicInteger BEGUN = new AtomicInteger();
    private static final AtomicInteger INTERRUPTED = new AtomicInteger();

    @CallerAware(deadline = "700ms")
    private static class Brief extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            BEGUN.incrementAndGet();
            try {
                Thread.sleep(request.getParameter("quick") == null ? 20_000 : 1_500);
            } catch (InterruptedException e) {
                INTERRUPTED.incrementAndGet();
                throw new IOException(e);
            }
            response.getWriter().print("done");
        }
    }

    /** As a subclass inherits it. */
    private static final class Inherited extends Brief {
        private static final long serialVersionUID = 1L;
    }

    @CallerAware(onCallerGone = CallerAware.Reaction.OBSERVE, deadline = "700ms")
    private static final class Observed extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                Thread.sleep(1_500);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            response.getWriter().print("done");
        }
    }

    @CallerAware(deadline = "soon")
    private static final class Malformed extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    private static final Policy POLICY = PolicyFile.parse("hangup.yaml", """
                        deadlines:
                          endpoints:
                            "GET /patient/{id}": { normal: 30s }
                            "GET /watched":      { mode: observe }
                        """).policy();

    private static Site site() {
        return new Site()
                .servlet("/short/*", new Brief())
                .servlet("/inherited", new Inherited())
                .servlet("/patient/*", new Brief())
                .servlet("/watched", new Brief())
                .servlet("/observed", new Observed())
                .servlet("/plain", new LambdaServlet((request, response) -> response.setStatus(204)));
    }

    @EachContainer
    void theAnnotationCancelsAndHasItsDeadline(ContainerKind kind) throws Exception {
        int before = INTERRUPTED.get();
        try (Stage stage = Stage.start(kind, POLICY, site())) {
            RawResponse late = RawClient.ask(stage.container, "/short/7");
            assertThat(late.status()).isEqualTo(504);
            assertThat(late.body()).contains("GET /short/* did not finish within its deadline of 0.700 s");
            assertThat(RawClient.ask(stage.container, "/inherited").status()).isEqualTo(504);
            assertThat(RawClient.ask(stage.container, "/plain").status()).isEqualTo(204);
            assertThat(INTERRUPTED.get() - before).isEqualTo(2);
            assertThat(stage.scrape().sum("hangup_cancelling", endpoint("GET /short/*")))
                    .isEqualTo(1);
            assertThat(stage.scrape().sum("hangup_deadline_seconds", endpoint("GET /short/*")))
                    .isEqualTo(0.7);
        }
    }

    /** The entry says a deadline and no mode, or a mode and no deadline. */
    @EachContainer
    void theEntryGoesBeforeTheAnnotationKeyByKey(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, POLICY, site())) {
            assertThat(RawClient.ask(stage.container, "/patient/7?quick").body())
                    .isEqualTo("done");
            int begun = BEGUN.get();
            int before = INTERRUPTED.get();
            RawClient leaving = stage.client().get("/patient/8");
            await().until(() -> BEGUN.get() == begun + 1);
            leaving.close();
            await().untilAsserted(() -> assertThat(INTERRUPTED.get() - before).isEqualTo(1));

            assertThat(RawClient.ask(stage.container, "/watched?quick").body()).isEqualTo("done");
            assertThat(RawClient.ask(stage.container, "/observed").body()).isEqualTo("done");
            await().untilAsserted(
                            () -> assertThat(stage.scrape().count("hangup_calls_total", outcome("deadline_passed")))
                                    .isEqualTo(2));
        }
    }

    @EachContainer
    void aMalformedOneIsNamedAtTheStart(ContainerKind kind) {
        try (Silence silence = Silence.ofContainers()) {
            assertThatThrownBy(() -> Stage.start(kind, POLICY, site().servlet("/malformed", new Malformed()))
                            .close())
                    .isInstanceOf(IllegalStateException.class);
        }
    }
}
