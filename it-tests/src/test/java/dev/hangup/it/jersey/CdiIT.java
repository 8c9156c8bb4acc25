package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.call.CallerAware;
import dev.hangup.call.Deadline;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.RawClient;
import dev.hangup.it.Scrape;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import java.util.concurrent.atomic.AtomicInteger;
import org.glassfish.jersey.internal.Version;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/**
 * Resources that are beans of CDI (Weld), which is on the class path of this test alone. With Jersey 4.0 only: of 3.1.12 the bridge to
 * Weld (jersey-weld2-se) is not on Maven Central.
 */
@Tag("cdi")
final class CdiIT {

    private static final AtomicInteger BEGUN = new AtomicInteger();
    private static final AtomicInteger INTERRUPTED = new AtomicInteger();

    @Path("request")
    @RequestScoped
    @CallerAware(deadline = "50s")
    public static class PerRequest {
        @Context
        @Nullable
        Call field;

        @Context
        @Nullable
        Deadline deadline;

        @Inject
        @Nullable
        Call injected;

        @GET
        @Path("field")
        public String field() {
            return InjectionIT.text(field, deadline);
        }

        @GET
        @Path("injected")
        public String injected(@Context Deadline own) {
            return InjectionIT.text(injected, own);
        }

        @GET
        @Path("parameter")
        public String parameter(@Context Call call, @Context Deadline own) {
            return InjectionIT.text(call, own);
        }
    }

    @Path("application")
    @ApplicationScoped
    public static class Shared {
        @Context
        @Nullable
        Call field;

        @Context
        @Nullable
        Deadline deadline;

        @Inject
        @Nullable
        Helper helper;

        @GET
        @Path("field")
        @CallerAware(deadline = "50s")
        public String field() {
            return InjectionIT.text(field, deadline);
        }

        @GET
        @Path("other")
        @CallerAware(deadline = "500s")
        public String other() {
            return InjectionIT.text(field, deadline);
        }

        @GET
        @Path("helper")
        @CallerAware(deadline = "50s")
        public String helper() {
            return helper == null ? "no helper" : helper.text();
        }

        @GET
        @Path("slow")
        @CallerAware(deadline = "50s")
        public String slow() throws InterruptedException {
            BEGUN.incrementAndGet();
            try {
                Thread.sleep(20_000);
            } catch (InterruptedException e) {
                INTERRUPTED.incrementAndGet();
                throw e;
            }
            return "done";
        }
    }

    /** Knows nothing of Jersey. */
    @ApplicationScoped
    public static class Helper {
        @Inject
        @Nullable
        Call call;

        @Inject
        @Nullable
        Deadline deadline;

        String text() {
            return InjectionIT.text(call, deadline);
        }
    }

    private static SeContainer weld() {
        return SeContainerInitializer.newInstance()
                .addBeanClasses(PerRequest.class, Shared.class, Helper.class)
                .initialize();
    }

    @EachContainer
    void beansHaveTheCallToo(ContainerKind kind) throws Exception {
        assertThat(Version.getVersion()).isEqualTo(System.getProperty("line.jersey"));
        try (SeContainer weld = weld();
                Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(PerRequest.class, Shared.class))) {
            assertThat(weld.isRunning()).isTrue();
            for (int round = 0; round < 2; round++) {
                for (String way : new String[] {
                    "/request/field",
                    "/request/injected",
                    "/request/parameter",
                    "/application/field",
                    "/application/helper"
                }) {
                    InjectionIT.assertText(stage, way, "brief");
                }
                InjectionIT.assertText(stage, "/application/other", "long");
            }
        }
    }

    @EachContainer
    void andAreStopped(ContainerKind kind) throws Exception {
        int begun = BEGUN.get();
        int before = INTERRUPTED.get();
        try (SeContainer weld = weld();
                Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(PerRequest.class, Shared.class))) {
            assertThat(weld.isRunning()).isTrue();
            RawClient leaving = stage.client().get("/application/slow");
            await().until(() -> BEGUN.get() == begun + 1);
            leaving.close();
            await().untilAsserted(() -> assertThat(INTERRUPTED.get()).isEqualTo(before + 1));
            await().untilAsserted(() -> assertThat(
                            stage.scrape().count("hangup_calls_total", Scrape.endpoint("GET /application/slow")))
                    .isEqualTo(1));
        }
    }
}
