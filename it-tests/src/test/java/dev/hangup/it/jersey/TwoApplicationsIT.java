package dev.hangup.it.jersey;

import static dev.hangup.it.jersey.AnnotatedWork.INTERRUPTED;
import static dev.hangup.it.jersey.AnnotatedWork.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.call.CallerAware;
import dev.hangup.call.Deadline;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.RawClient;
import dev.hangup.it.RawResponse;
import dev.hangup.it.Scrape;
import dev.hangup.it.Site;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.glassfish.jersey.server.ResourceConfig;
import org.jspecify.annotations.Nullable;

/** Two Jersey applications in one context, with the same paths below their own: each has its own endpoints, and neither's are the other's. */
@EachLine
final class TwoApplicationsIT {

    /** What the call of a page is when its parts are there: on Tomcat they have ended its answer. */
    private static final Queue<String> PAGES = new ConcurrentLinkedQueue<>();

    @Path("reports")
    public static class First {
        @Context
        @Nullable
        Call field;

        @Context
        @Nullable
        Deadline deadline;

        @GET
        @Path("{id}")
        @CallerAware(deadline = "20s")
        public String one(@Context Call call) {
            return told(call, field, deadline);
        }

        @GET
        @Path("{id}/slow")
        @CallerAware(deadline = "700ms")
        public String slow() {
            return work(20_000);
        }

        /** A page that is made of the other application's. */
        @GET
        @Path("page/of/parts")
        @CallerAware(deadline = "20s")
        public void page(@Context Call call, @Context HttpServletRequest request, @Context HttpServletResponse response)
                throws ServletException, IOException {
            request.getRequestDispatcher("/second/part").include(request, response);
            PAGES.add(told(call, field, deadline));
        }

        @GET
        @Path("that/fails")
        @CallerAware(deadline = "20s")
        public void fails(@Suspended AsyncResponse response) {
            new Thread(() -> response.resume(new ServiceUnavailableException())).start();
        }
    }

    @Path("reports")
    public static class Second {
        @Context
        @Nullable
        Call field;

        @Context
        @Nullable
        Deadline deadline;

        @GET
        @Path("{id}")
        public String one(@Context Call call) {
            return told(call, field, deadline);
        }

        @GET
        @Path("{id}/slow")
        public String slow() {
            return work(1_500);
        }

        @GET
        @Path("{id}/pages")
        @CallerAware(deadline = "700ms")
        public String pages() {
            return work(20_000);
        }

        /** A container includes a servlet under the path that was asked for. */
        @GET
        @Path("page/of/parts")
        public String part() {
            return "part";
        }

        @GET
        @Path("error")
        public String error(@Context Call call) {
            return "the error page of " + call.endpoint();
        }
    }

    private static String told(Call call, @Nullable Call field, @Nullable Deadline deadline) {
        if (field == null || deadline == null) {
            return "not injected";
        }
        boolean same = field.endpoint().equals(call.endpoint());
        boolean brief = deadline.remaining().compareTo(Duration.ofSeconds(20)) <= 0;
        return call.endpoint() + (same ? "" : ", and another in the field") + (brief ? " brief" : " long");
    }

    private static Site site() {
        return JerseySite.with(
                        JerseySite.of("/first/*", new ResourceConfig(First.class)),
                        "/second/*",
                        new ResourceConfig(Second.class))
                .errorPage(503, "/second/reports/error");
    }

    @EachContainer
    void eachHasItsOwnNamesAnnotationsAndCalls(ContainerKind kind) throws Exception {
        int before = INTERRUPTED.get();
        try (Stage stage = Stage.start(kind, Policy.defaults(), site())) {
            for (int round = 0; round < 2; round++) {
                assertThat(RawClient.ask(stage.container, "/first/reports/1").body())
                        .isEqualTo("GET /first/reports/{id} brief");
                assertThat(RawClient.ask(stage.container, "/second/reports/1").body())
                        .isEqualTo("GET /second/reports/{id} long");
            }
            RawClient slow = stage.client().get("/first/reports/1/slow");
            RawClient pages = stage.client().get("/second/reports/1/pages");
            RawClient patient = stage.client().get("/second/reports/1/slow");
            AnnotatedWork.assertStopped(stage, slow.response(), "GET /first/reports/{id}/slow");
            AnnotatedWork.assertStopped(stage, pages.response(), "GET /second/reports/{id}/pages");
            assertThat(patient.response().body()).isEqualTo("done");
            await().untilAsserted(() -> assertThat(INTERRUPTED.get()).isEqualTo(before + 2));
        }
    }

    /** Which has no annotation, and would be observed under its own name. */
    @EachContainer
    void whatIsIncludedIsAPartOfItsPage(ContainerKind kind) throws Exception {
        PAGES.clear();
        try (Stage stage = Stage.start(kind, Policy.defaults(), site())) {
            RawClient asked = stage.client().get("/first/reports/page/of/parts");
            await().untilAsserted(() -> assertThat(PAGES).containsExactly("GET /first/reports/page/of/parts brief"));
            await().untilAsserted(() -> assertThat(stage.scrape()
                            .count("hangup_calls_total", Scrape.endpoint("GET /first/reports/page/of/parts")))
                    .isEqualTo(1));
            asked.close();
        }
    }

    @EachContainer
    void anErrorPageIsThatOfItsEndpoint(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, Policy.defaults(), site())) {
            RawResponse failed = RawClient.ask(stage.container, "/first/reports/that/fails");
            assertThat(failed.body()).isEqualTo("the error page of GET /first/reports/that/fails");
            await().untilAsserted(() -> assertThat(stage.scrape()
                            .count("hangup_calls_total", Scrape.endpoint("GET /first/reports/that/fails")))
                    .isEqualTo(1));
        }
    }
}
