package dev.hangup.it.jersey;

import static dev.hangup.it.Scrape.endpoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.Call;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.Logged;
import dev.hangup.it.RawClient;
import dev.hangup.it.Stage;
import dev.hangup.policy.Entry;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.monitoring.ApplicationEvent;
import org.glassfish.jersey.server.monitoring.ApplicationEventListener;
import org.glassfish.jersey.server.monitoring.RequestEvent;
import org.glassfish.jersey.server.monitoring.RequestEventListener;
import org.jspecify.annotations.Nullable;

/** An application's listener to Jersey's events that throws keeps others from hearing of them: no thread stays with a call for that. */
@EachLine
final class ThrowingListenersIT {
    private static final Policy POLICY = Policy.builder()
            .endpoint("GET /sync", Entry.of(Mode.CANCEL))
            .endpoint("GET /async", Entry.of(Mode.CANCEL))
            .build();
    /** Of the application's, one thread, so that each task meets what the one before has left. */
    private static final AtomicReference<@Nullable ExecutorService> POOL = new AtomicReference<>();

    @Path("/")
    public static final class Resources {
        @GET
        @Path("sync")
        public String sync() {
            return Call.current().endpoint();
        }

        @GET
        @Path("async")
        public void async(@Suspended AsyncResponse response) {
            Objects.requireNonNull(POOL.get()).execute(() -> response.resume("done"));
        }
    }

    private record Throwing(AtomicReference<RequestEvent.@Nullable Type> at)
            implements ApplicationEventListener, RequestEventListener {
        @Override
        public void onEvent(ApplicationEvent event) {}

        @Override
        public RequestEventListener onRequest(RequestEvent begun) {
            return this;
        }

        @Override
        public void onEvent(RequestEvent event) {
            if (event.getType() == at.get()) {
                throw new IllegalStateException("on purpose, at " + event.getType());
            }
        }
    }

    @EachContainer
    void noThreadStaysWithACall(ContainerKind kind) throws Exception {
        for (int priority : new int[] {2, 10_000}) {
            AtomicReference<RequestEvent.@Nullable Type> at = new AtomicReference<>();
            ResourceConfig application = new ResourceConfig(Resources.class).register(new Throwing(at), priority);
            ExecutorService pool = Executors.newSingleThreadExecutor();
            POOL.set(pool);
            try (Logged silent = Logged.begin();
                    Stage stage = Stage.start(kind, POLICY, JerseySite.of("/*", application))) {
                int asked = 0;
                for (RequestEvent.Type type : RequestEvent.Type.values()) {
                    at.set(type);
                    for (String path : List.of("/sync", "/async")) {
                        try (RawClient caller = stage.client().get(path)) {
                            caller.patience(Duration.ofMillis(200)).response();
                        } catch (IOException unanswered) {
                            // as without us: of a suspended response, whose end nobody hears of
                        }
                    }
                    at.set(null);
                    String what = type + " at " + priority;
                    assertThat(pool.submit(() -> Call.current().endpoint()).get(5, TimeUnit.SECONDS))
                            .as(what)
                            .isEqualTo("UNMATCHED");
                    assertThat(RawClient.ask(stage.container, "/sync").body())
                            .as(what)
                            .isEqualTo("GET /sync");
                    asked += 2;
                    int calls = asked;
                    await().dontCatchUncaughtExceptions() // what the listener throws on the pool's thread
                            .untilAsserted(
                                    () -> assertThat(stage.scrape().count("hangup_calls_total", endpoint("GET /sync")))
                                            .as(what)
                                            .isEqualTo(calls));
                }
            } finally {
                pool.shutdownNow();
            }
        }
    }
}
