package dev.hangup.it.jersey;

import static dev.hangup.it.jersey.AnnotatedWork.INTERRUPTED;
import static dev.hangup.it.jersey.AnnotatedWork.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.CallScope;
import dev.hangup.call.CallerAware;
import dev.hangup.it.Container;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.LambdaServlet;
import dev.hangup.it.RawClient;
import dev.hangup.it.RawResponse;
import dev.hangup.it.Scrape;
import dev.hangup.it.Site;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import jakarta.servlet.DispatcherType;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/**
 * Requests that look like those of an annotated endpoint and do not come there: sent elsewhere by a filter before Jersey matches them,
 * answered by it, or of no resource at all. They have the name and the treatment of where they come, if that is anywhere.
 */
@EachLine
final class MissedIT {

    @Path("reports")
    public static class Reports {
        @GET
        @Path("{id: [0-9]+}")
        @CallerAware(deadline = "20s")
        public String one() {
            return told();
        }

        @DELETE
        @Path("{id: [0-9]+}")
        public String delete() {
            return told();
        }

        @GET
        @Path("all/of/them")
        public String all() {
            return told();
        }

        @POST
        @CallerAware(deadline = "20s")
        public String post() {
            return told();
        }

        @GET
        @Path("slow/{id: [0-9]+}")
        @CallerAware(deadline = "700ms")
        public String slow() {
            return "never reached";
        }
    }

    private static String told() {
        CallScope call = Objects.requireNonNull(CallScope.current());
        boolean brief = call.deadline().remaining().compareTo(Duration.ofSeconds(20)) <= 0;
        return call.endpoint() + (call.treatment().cancels() ? " cancels" : " observes") + (brief ? " brief" : " long");
    }

    /** Does what the request's headers say. */
    @PreMatching
    public static final class Switch implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) throws IOException {
            String work = request.getHeaderString("X-Work");
            String path = request.getHeaderString("X-Path");
            String method = request.getHeaderString("X-Method");
            String status = request.getHeaderString("X-Status");
            if (work != null) {
                work(Long.parseLong(work));
            }
            if (path != null) {
                request.setRequestUri(request.getUriInfo().getBaseUri().resolve(path));
            }
            if (method != null) {
                request.setMethod(method);
            }
            if (status != null) {
                request.abortWith(
                        Response.status(Integer.parseInt(status)).entity("no").build());
            }
        }
    }

    @EachContainer
    void whatAFilterSendsElsewhereIsThere(ContainerKind kind) throws Exception {
        try (Stage stage = stage(kind)) {
            assertThat(ask(stage, "/api/reports/7").body()).isEqualTo("GET /api/reports/{id} cancels brief");
            assertThat(ask(stage, "/api/reports/7", "X-Path: reports/all/of/them")
                            .body())
                    .isEqualTo("GET /api/reports/all/of/them observes long");
            assertThat(ask(stage, "/api/reports/7", "X-Method: DELETE").body())
                    .isEqualTo("DELETE /api/reports/{id} observes long");
            assertThat(ask(stage, "/api/reports", "X-Method: POST").body())
                    .isEqualTo("POST /api/reports cancels brief");
            assertThat(ask(stage, "/api/nothing", "X-Path: reports/7").body())
                    .isEqualTo("GET /api/reports/{id} cancels brief");
        }
    }

    @EachContainer
    void whatComesNowhereHasNoName(ContainerKind kind) throws Exception {
        try (Stage stage = stage(kind)) {
            assertThat(ask(stage, "/api/reports/seven").status()).isEqualTo(404);
            assertThat(ask(stage, "/api/reports/7", "X-Path: nothing").status()).isEqualTo(404);
            assertThat(ask(stage, "/api/reports/7", "X-Status: 401").body()).isEqualTo("no");
            await().untilAsserted(() -> assertThat(calls(stage, "UNMATCHED")).isEqualTo(3));
            assertThat(calls(stage, "GET /api/reports/{id}")).isZero();
        }
    }

    /** By the deadline of what it looked like: it stays that. */
    @EachContainer
    void whatIsCancelledBeforeItIsMatchedKeepsItsName(ContainerKind kind) throws Exception {
        int before = INTERRUPTED.get();
        try (Stage stage = stage(kind)) {
            AnnotatedWork.assertStopped(
                    stage, ask(stage, "/api/reports/slow/7", "X-Work: 20000"), "GET /api/reports/slow/{id}");
            await().untilAsserted(() -> assertThat(INTERRUPTED.get()).isEqualTo(before + 1));
            await().untilAsserted(() ->
                    assertThat(calls(stage, "GET /api/reports/slow/{id}")).isEqualTo(1));
        }
    }

    /** Jersey as a filter lets through what it does not serve: that is whoever's is behind it, and observed. */
    @EachContainer
    void whatGoesOnToAnotherServletIsNotCancelled(ContainerKind kind) throws Exception {
        ResourceConfig application = new ResourceConfig(Reports.class)
                .property("jersey.config.server.wadl.disableWadl", true)
                .property("jersey.config.servlet.filter.forwardOn404", true);
        try (Hangup hangup = Hangup.builder().policy(Policy.defaults()).build();
                Container container = kind.start(new Site()
                        .filter(new HangupFilter(hangup))
                        .initializer(context -> {
                            var filter = context.addFilter("jersey", new ServletContainer(application));
                            filter.setAsyncSupported(true);
                            filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
                        })
                        .servlet("/", new LambdaServlet((request, response) -> response.getWriter()
                                .print("else " + told()))))) {
            assertThat(RawClient.ask(container, "/reports/7").body()).isEqualTo("GET /reports/{id} cancels brief");
            assertThat(RawClient.ask(container, "/reports/seven").body()).isEqualTo("else UNMATCHED observes long");
        }
    }

    private static Stage stage(ContainerKind kind) {
        return Stage.start(
                kind, Policy.defaults(), JerseySite.of("/api/*", new ResourceConfig(Reports.class, Switch.class)));
    }

    private static RawResponse ask(Stage stage, String path, String... headers) throws IOException {
        String lines = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
        try (RawClient client = stage.client()) {
            return client.send(RawClient.head("GET", path) + lines + "\r\n").response();
        }
    }

    private static long calls(Stage stage, String endpoint) {
        return stage.scrape().count("hangup_calls_total", Scrape.endpoint(endpoint));
    }
}
