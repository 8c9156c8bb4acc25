package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.it.Container;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.LambdaServlet;
import dev.hangup.it.RawClient;
import dev.hangup.it.Scrape;
import dev.hangup.it.Site;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import dev.hangup.policy.PolicyFile;
import jakarta.servlet.DispatcherType;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.EnumSet;
import java.util.List;
import org.awaitility.Awaitility;
import org.glassfish.jersey.process.Inflector;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.model.Resource;
import org.glassfish.jersey.servlet.ServletContainer;

/** What an endpoint is called: its method and its whole template, through locators; nothing that a caller has sent. */
@EachLine
final class EndpointNamesIT {

    @Path("reports")
    public static class Reports {
        @GET
        public String all() {
            return name();
        }

        @GET
        @Path("/{id}/")
        public String one() {
            return name();
        }

        @POST
        @Path("{ id : [0-9]{1,3} }/copies/{copy: \\d+}")
        public String copy() {
            return name();
        }

        @GET
        @Path("files/{path: .+}")
        public String file() {
            return name();
        }

        @GET
        @Path("{from}-{to}/span")
        public String span() {
            return name();
        }

        @Path("sub/{x}")
        public Sub sub() {
            return new Sub();
        }

        @Path("class/{x}")
        public Class<Sub> type() {
            return Sub.class;
        }

        @Path("any/{x}")
        public Object any(@PathParam("x") String x) {
            return x.equals("model") ? model() : new Sub();
        }
    }

    public static class Sub {
        @GET
        public String self() {
            return name();
        }

        @GET
        @Path("leaf/{y: [a-z]+}")
        public String leaf() {
            return name();
        }

        @Path("deeper")
        public Sub deeper() {
            return new Sub();
        }
    }

    /** Made anew for each request. */
    private static Resource model() {
        Resource.Builder resource = Resource.builder();
        resource.addChildResource("made/{z}").addMethod("GET").handledBy((Inflector<ContainerRequestContext, String>)
                request -> name());
        return resource.build();
    }

    /** As the call says itself. */
    static String name() {
        return Call.current().endpoint();
    }

    @EachContainer
    void itIsTheWholeTemplate(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(Reports.class))) {
            assertName(stage, "/reports", "GET /reports");
            assertName(stage, "/reports/7", "GET /reports/{id}");
            assertName(stage, "/reports/7/", "GET /reports/{id}");
            assertName(stage, "/reports;colour=red/7;a=b;c", "GET /reports/{id}");
            assertName(stage, "/reports/files/a/b/c.txt", "GET /reports/files/{path}");
            assertName(stage, "/reports/1-9/span", "GET /reports/{from}-{to}/span");
            assertName(stage, "/reports/sub/1", "GET /reports/sub/{x}");
            assertName(stage, "/reports/sub/1/leaf/a", "GET /reports/sub/{x}/leaf/{y}");
            assertName(stage, "/reports/sub/1/deeper/deeper/leaf/a", "GET /reports/sub/{x}/deeper/deeper/leaf/{y}");
            assertName(stage, "/reports/class/1/leaf/a", "GET /reports/class/{x}/leaf/{y}");
            assertName(stage, "/reports/any/1/leaf/a", "GET /reports/any/{x}/leaf/{y}");
            assertName(stage, "/reports/any/model/made/2", "GET /reports/any/{x}/made/{z}");
            assertThat(stage.client()
                            .post("/reports/7/copies/1", new byte[0])
                            .response()
                            .body())
                    .isEqualTo("POST /reports/{id}/copies/{copy}");
        }
    }

    @EachContainer
    void theServletsPathIsPartOfIt(ContainerKind kind) throws Exception {
        ResourceConfig application = new ResourceConfig(Reports.class);
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of("/api/v1/*", application))) {
            assertName(stage, "/api/v1/reports/7", "GET /api/v1/reports/{id}");
            RawClient.ask(stage.container, "/api/v1/nothing");
            RawClient.ask(stage.container, "/api/v1/reports/7/copies/1");
            Awaitility.await()
                    .untilAsserted(() -> assertThat(calls(stage, "UNMATCHED")).isEqualTo(2));
            assertThat(stage.scrape().count("hangup_calls_total", Scrape.endpoint("GET /api/v1/*")))
                    .isZero();
        }
    }

    /** Jersey as a filter, which has its path of its own mapping as a servlet does. */
    @EachContainer
    void soIsTheFilters(ContainerKind kind) throws Exception {
        for (String pattern : List.of("/*", "/api/*")) {
            ResourceConfig application = new ResourceConfig(Reports.class)
                    .property("jersey.config.server.wadl.disableWadl", true)
                    .property("jersey.config.servlet.filter.forwardOn404", true);
            String base = pattern.replace("/*", "");
            try (Hangup hangup = Hangup.builder().policy(Policy.defaults()).build();
                    Container container = kind.start(new Site()
                            .filter(new HangupFilter(hangup))
                            .initializer(context -> {
                                var filter = context.addFilter("jersey", new ServletContainer(application));
                                filter.setAsyncSupported(true);
                                filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, pattern);
                            })
                            .servlet("/", new LambdaServlet((request, response) -> response.getWriter()
                                    .print("else " + name()))))) {
                assertThat(RawClient.ask(container, base + "/reports/7").body())
                        .isEqualTo("GET " + base + "/reports/{id}");
                assertThat(RawClient.ask(container, base + "/reports/sub/1/leaf/a")
                                .body())
                        .isEqualTo("GET " + base + "/reports/sub/{x}/leaf/{y}");
                assertThat(RawClient.ask(container, base + "/nothing").body()).isEqualTo("else UNMATCHED");
            }
        }
    }

    @EachContainer
    void aHeadIsItsGetsAndWhatIsNotThereHasNoName(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(Reports.class))) {
            stage.client().send(RawClient.head("HEAD", "/reports/7") + "\r\n").head();
            RawClient.ask(stage.container, "/nothing");
            Awaitility.await().untilAsserted(() -> {
                assertThat(calls(stage, "GET /reports/{id}")).isEqualTo(1);
                assertThat(calls(stage, "UNMATCHED")).isEqualTo(1);
            });
        }
    }

    /** Whatever the entry's variables are called. */
    @EachContainer
    void anEntryOfThePolicyHasItsOwnName(ContainerKind kind) throws Exception {
        Policy policy = PolicyFile.parse("hangup.yaml", """
                        deadlines:
                          endpoints:
                            "GET /reports/{number}": { normal: 10s }
                            "GET /reports/sub/{x}/leaf/{z}": { normal: 11s }
                        """).policy();
        try (Stage stage = Stage.start(kind, policy, JerseySite.of(Reports.class))) {
            assertName(stage, "/reports/7", "GET /reports/{number}");
            assertName(stage, "/reports/sub/1/leaf/a", "GET /reports/sub/{x}/leaf/{z}");
            assertName(stage, "/reports/class/1/leaf/a", "GET /reports/class/{x}/leaf/{y}");
        }
    }

    private static void assertName(Stage stage, String path, String name) throws Exception {
        assertThat(RawClient.ask(stage.container, path).body()).as(path).isEqualTo(name);
        Awaitility.await().untilAsserted(() -> assertThat(calls(stage, name)).isPositive());
    }

    /** Whatever their outcome: where the machine stalls, the caller has its answer and leaves before the call has ended. */
    private static long calls(Stage stage, String endpoint) {
        return stage.scrape().count("hangup_calls_total", Scrape.endpoint(endpoint));
    }
}
