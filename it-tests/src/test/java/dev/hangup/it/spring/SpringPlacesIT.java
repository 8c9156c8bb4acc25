package dev.hangup.it.spring;

import static dev.hangup.it.Scrape.endpoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.call.CallerAware;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.LambdaServlet;
import dev.hangup.it.RawClient;
import dev.hangup.it.RawResponse;
import dev.hangup.it.Site;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import dev.hangup.spring.CallerAwareInterceptor;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.ContextLoaderListener;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;

/** Where an application's beans, handlers and servlets may be beside one another. */
@Tag("spring")
final class SpringPlacesIT {

    private static final AtomicInteger INTERRUPTED = new AtomicInteger();

    private static String sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            INTERRUPTED.incrementAndGet();
            throw new IllegalStateException(e);
        }
        return "done as " + Call.current().endpoint();
    }

    @RestController
    static final class Reports {

        @GetMapping("/reports/{id}")
        @CallerAware(deadline = "700ms")
        String report(@PathVariable String id) {
            return sleep(20_000);
        }
    }

    @RestController
    static final class Plain {

        @GetMapping("/reports/{id}")
        String report(@PathVariable String id) {
            return sleep(1_500);
        }
    }

    @Configuration
    static class Nothing {}

    @Configuration
    @EnableWebMvc
    static class Without {}

    /** A handler with a path of its own, and one for all else. */
    @Configuration
    static class ByPath {

        @Bean
        SimpleUrlHandlerMapping byPath(CallerAwareInterceptor interceptor) {
            HttpRequestHandler told = (request, response) ->
                    response.getWriter().print(Call.current().endpoint());
            SimpleUrlHandlerMapping mapping = new SimpleUrlHandlerMapping(Map.of("/known", told));
            mapping.setDefaultHandler(told);
            mapping.setInterceptors(interceptor);
            return mapping;
        }
    }

    private static AnnotationConfigWebApplicationContext beans(Class<?>... types) {
        AnnotationConfigWebApplicationContext beans = new AnnotationConfigWebApplicationContext();
        beans.register(types);
        return beans;
    }

    private static void add(
            ServletContext context, String name, AnnotationConfigWebApplicationContext beans, String pattern) {
        ServletRegistration.Dynamic servlet = context.addServlet(name, new DispatcherServlet(beans));
        servlet.setLoadOnStartup(1);
        servlet.setAsyncSupported(true);
        servlet.addMapping(pattern);
    }

    private static Stage start(ContainerKind kind, Site site) {
        return Stage.start(kind, Policy.defaults(), site);
    }

    private static void assertCancelledByItsAnnotation(Stage stage, String path, String endpoint) throws Exception {
        assertThat(stage.scrape().sum("hangup_deadline_seconds", endpoint(endpoint)))
                .as("known before the first request")
                .isEqualTo(0.7);
        int before = INTERRUPTED.get();
        RawResponse late = RawClient.ask(stage.container, path);
        assertThat(late.status()).isEqualTo(504);
        assertThat(late.body()).contains(endpoint + " did not finish within its deadline of 0.700 s");
        await().untilAsserted(() -> assertThat(INTERRUPTED.get() - before).isEqualTo(1));
    }

    /** To the listener that starts such a context the container does not say where the servlets are. */
    @EachContainer
    void allOfItMayBeInTheParentOfTheServletsContext(ContainerKind kind) throws Exception {
        Site site = new Site().initializer(context -> {
            context.addListener(new ContextLoaderListener(beans(Application.class, Reports.class)));
            add(context, "web", beans(Nothing.class), "/app/*");
        });
        try (Stage stage = start(kind, site)) {
            assertCancelledByItsAnnotation(stage, "/app/reports/7", "GET /app/reports/{id}");
        }
    }

    @EachContainer
    void theInterceptorMayBeAboveTheHandlers(ContainerKind kind) throws Exception {
        Site site = new Site().initializer(context -> {
            context.addListener(new ContextLoaderListener(beans(Application.class)));
            add(context, "web", beans(Without.class, Reports.class), "/");
        });
        try (Stage stage = start(kind, site)) {
            assertCancelledByItsAnnotation(stage, "/reports/7", "GET /reports/{id}");
        }
    }

    /** Its path matches an annotated template, and nobody routes it there. */
    @EachContainer
    void aServletBesideSpringIsItsOwn(ContainerKind kind) throws Exception {
        Site site = Application.site("/", Reports.class)
                .servlet("/reports/special", new LambdaServlet((request, response) -> response.getWriter()
                        .print(sleep(1_500))));
        try (Stage stage = start(kind, site)) {
            RawResponse whole = RawClient.ask(stage.container, "/reports/special");
            assertThat(whole.body()).isEqualTo("done as GET /reports/special");
        }
    }

    @EachContainer
    void handlersAreWhereTheirOwnServletIs(ContainerKind kind) throws Exception {
        Site site = new Site().initializer(context -> {
            add(context, "one", beans(Application.class, Reports.class), "/one/*");
            add(context, "two", beans(Without.class, Plain.class), "/two/*");
        });
        try (Stage stage = start(kind, site)) {
            assertThat(RawClient.ask(stage.container, "/two/reports/7").body()).isEqualTo("done as GET /two/*");
            assertCancelledByItsAnnotation(stage, "/one/reports/7", "GET /one/reports/{id}");
        }
    }

    @EachContainer
    void aPageIsNotWhatItIncludes(ContainerKind kind) throws Exception {
        Site site = Application.site("/app/*", Plain.class).servlet("/page", new LambdaServlet((request, response) -> {
            request.getRequestDispatcher("/app/reports/7").include(request, response);
            response.getOutputStream().print(", a page as " + Call.current().endpoint());
        }));
        try (Stage stage = start(kind, site)) {
            assertThat(RawClient.ask(stage.container, "/page").body())
                    .isEqualTo("done as GET /page, a page as GET /page");
        }
    }

    /** What a handler answers that is there for all paths has none that a caller could make a name of. */
    @EachContainer
    void callersMakeNoNames(ContainerKind kind) throws Exception {
        try (Stage stage = start(kind, Application.site("/", ByPath.class))) {
            for (String path : new String[] {"/a", "/b/c"}) {
                assertThat(RawClient.ask(stage.container, path).body()).isEqualTo("UNMATCHED");
            }
            assertThat(RawClient.ask(stage.container, "/known").body()).isEqualTo("GET /known");
        }
    }
}
