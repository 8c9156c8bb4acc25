package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.call.Call;
import dev.hangup.call.CallerAware;
import dev.hangup.call.Deadline;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.RawClient;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The call and its deadline, injected: each time those of the request that asks. */
@EachLine
final class InjectionIT {

    /** Of their own, which know no request. */
    private static final Executor THREADS = task -> new Thread(task).start();

    @Path("request")
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

        private final Call given;

        @Inject
        public PerRequest(Call given) {
            this.given = given;
        }

        @GET
        @Path("field")
        public String field() throws Exception {
            return told(field, deadline);
        }

        @GET
        @Path("injected")
        public String injected() throws Exception {
            return told(injected, deadline);
        }

        @GET
        @Path("given")
        public String given() throws Exception {
            return told(given, deadline);
        }

        @GET
        @Path("parameter")
        public String parameter(@Context Call call, @Context Deadline own) throws Exception {
            return told(call, own);
        }

        /** It is used on a thread that does not know the request. */
        private static String told(@Nullable Call call, @Nullable Deadline deadline)
                throws ExecutionException, InterruptedException {
            return CompletableFuture.supplyAsync(() -> text(call, deadline), THREADS)
                    .get();
        }
    }

    /** Used by requests at the same time. */
    @Singleton
    @Path("singleton")
    public static class Single {
        @Context
        @Nullable
        Call field;

        @Context
        @Nullable
        Deadline deadline;

        @Inject
        @Nullable
        Provider<Call> provider;

        @GET
        @Path("field")
        @CallerAware(deadline = "50s")
        public String field() {
            return text(field, deadline);
        }

        @GET
        @Path("other")
        @CallerAware(deadline = "500s")
        public String other() {
            return text(field, deadline);
        }

        @GET
        @Path("provider")
        @CallerAware(deadline = "50s")
        public String provider(@Context Deadline own) {
            return text(provider == null ? null : provider.get(), own);
        }

        @GET
        @Path("parameter")
        @CallerAware(deadline = "50s")
        public String parameter(@Context Call call, @Context Deadline own) {
            return text(call, own);
        }

        @GET
        @Path("executor")
        @CallerAware(deadline = "50s")
        public String executor() throws Exception {
            Executor carrying = Objects.requireNonNull(field).executor(THREADS);
            return CompletableFuture.supplyAsync(() -> text(field, deadline), carrying)
                    .get();
        }
    }

    static String text(@Nullable Call call, @Nullable Deadline deadline) {
        if (call == null || deadline == null) {
            return "not injected";
        }
        boolean brief = deadline.remaining().compareTo(Duration.ofSeconds(50)) <= 0;
        boolean same =
                call.deadline().remaining().minus(deadline.remaining()).abs().compareTo(Duration.ofSeconds(5)) < 0;
        return call.endpoint() + (brief ? " brief" : " long") + (same ? "" : ", and another in the call");
    }

    @EachContainer
    void itIsTheRequestsOwn(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(PerRequest.class, Single.class))) {
            for (int round = 0; round < 2; round++) {
                for (String way : new String[] {"field", "injected", "given", "parameter"}) {
                    assertText(stage, "/request/" + way, "brief");
                }
                for (String way : new String[] {"field", "parameter", "provider", "executor"}) {
                    assertText(stage, "/singleton/" + way, "brief");
                }
                assertText(stage, "/singleton/other", "long");
            }
        }
    }

    static void assertText(Stage stage, String path, String deadline) throws IOException {
        assertThat(RawClient.ask(stage.container, path).body()).isEqualTo("GET " + path + " " + deadline);
    }
}
