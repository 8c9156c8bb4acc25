package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

/**
 * An application that is set up as Spring Boot's are: other filters in front of ours have wrapped the request, twice, and made
 * it say that it comes from somewhere else. The watch still finds the caller's own connection.
 */
@EachLine
final class StackedIT {

    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /slow", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(30)))
            .build();

    /** As a filter that believes {@code X-Forwarded-For}: no socket of ours has that address. */
    private static final class Forwarded extends HttpServletRequestWrapper {
        Forwarded(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getRemoteAddr() {
            return getHeader("X-Forwarded-For");
        }

        @Override
        public String getRemoteHost() {
            return getRemoteAddr();
        }

        @Override
        public int getRemotePort() {
            return 1;
        }

        @Override
        public String getLocalAddr() {
            return "198.51.100.1";
        }
    }

    private static Filter wrapping(UnaryOperator<HttpServletRequest> wrapper) {
        return (request, response, chain) -> chain.doFilter(wrapper.apply((HttpServletRequest) request), response);
    }

    @EachContainer
    void theCallersOwnConnectionIsWatched(ContainerKind kind) throws IOException {
        Gate gate = new Gate();
        Queue<String> addresses = new ConcurrentLinkedQueue<>();
        Site site = new Site()
                .filter(wrapping(HttpServletRequestWrapper::new))
                .filter(wrapping(HttpServletRequestWrapper::new))
                .filter(wrapping(Forwarded::new))
                .servlet("/slow", new LambdaServlet((request, response) -> {
                    addresses.add(request.getRemoteAddr());
                    gate.service((ServletRequest) request, response);
                }));
        try (Stage stage = Stage.start(kind, POLICY, site);
                RawClient staying = stage.client().get("/slow", "X-Forwarded-For: 203.0.113.1")) {
            RawClient fin = stage.client().get("/slow", "X-Forwarded-For: 203.0.113.2");
            RawClient rst = stage.client().get("/slow", "X-Forwarded-For: 203.0.113.3");
            await().untilAsserted(() -> assertThat(gate.entered).hasValue(3));
            assertThat(addresses).containsExactlyInAnyOrder("203.0.113.1", "203.0.113.2", "203.0.113.3");
            fin.close();
            rst.rst();
            await().untilAsserted(() -> assertThat(gate.interrupted).hasValue(2));
            gate.open();
            assertThat(staying.response().body()).isEqualTo("opened");
            assertThat(stage.scrape().count("hangup_cancelled_total", Scrape.reason("caller_closed")))
                    .isEqualTo(1);
            assertThat(stage.scrape().count("hangup_cancelled_total", Scrape.reason("caller_reset")))
                    .isEqualTo(1);
            assertThat(stage.scrape().sum("hangup_calls_unwatched_total")).isZero();
        }
    }
}
