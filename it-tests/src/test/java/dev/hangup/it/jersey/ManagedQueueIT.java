package dev.hangup.it.jersey;

import static dev.hangup.it.Scrape.outcome;
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
import dev.hangup.policy.Settings;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.glassfish.jersey.server.ManagedAsync;
import org.glassfish.jersey.server.ManagedAsyncExecutor;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.spi.ExecutorServiceProvider;

/** Jersey's executor has one thread, which somebody else's work holds. */
@EachLine
final class ManagedQueueIT {
    private static final Policy POLICY = Policy.builder()
            .settings(Settings.DEFAULTS.withGrace(Duration.ZERO))
            .endpoint("GET /{name}", Entry.of(Mode.CANCEL).normal(Duration.ofSeconds(120)))
            .endpoint("GET /late", Entry.of(Mode.CANCEL).normal(Duration.ofMillis(500)))
            .build();

    /** Notes who began, and holds the thread for the first of them. */
    @Path("/{name}")
    public static final class Works {
        final Collection<String> begun = new ConcurrentLinkedQueue<>();
        final CountDownLatch first = new CountDownLatch(1);

        @GET
        @ManagedAsync
        public String work(@PathParam("name") String name) throws InterruptedException {
            begun.add(name);
            if (name.equals("first") && !first.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody lets it go");
            }
            return name;
        }
    }

    /** One thread. */
    @ManagedAsyncExecutor
    public static final class OneThread implements ExecutorServiceProvider {
        private final ExecutorService executor = Executors.newSingleThreadExecutor();

        @Override
        public ExecutorService getExecutorService() {
            return executor;
        }

        @Override
        public void dispose(ExecutorService service) {
            service.shutdownNow();
        }
    }

    /** Is answered, and works on for its call. */
    @Path("/busy")
    public static final class Busy {
        final CountDownLatch answered = new CountDownLatch(1);

        @GET
        @ManagedAsync
        public String work(@Context Call call) throws InterruptedException {
            CountDownLatch begun = new CountDownLatch(1);
            new Thread(call.wrap((Runnable) () -> {
                        begun.countDown(); // before that it does not hold the call
                        try {
                            if (answered.await(30, TimeUnit.SECONDS)) {
                                call.cancel();
                            }
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }))
                    .start();
            begun.await();
            return "answer";
        }
    }

    /** Jersey has forgotten the request by then, and would be asked for its response. */
    @EachContainer
    void aCancelAfterTheAnswerIsQuiet(ContainerKind kind) throws Exception {
        Busy busy = new Busy();
        try (Stage stage =
                        Stage.start(kind, POLICY, JerseySite.of("/*", new ResourceConfig().registerInstances(busy)));
                Logged logged = Logged.begin();
                RawClient caller = stage.client().get("/busy")) {
            assertThat(caller.response().body()).isEqualTo("answer");
            assertThat(caller.get("/nothing").response().status()).isEqualTo(404); // the container has ended the first
            busy.answered.countDown();
            await().untilAsserted(() -> assertThat(stage.scrape().count("hangup_calls_total", outcome("cancelled")))
                    .isEqualTo(1));
            logged.assertNoAlarms();
        }
    }

    @EachContainer
    void whatIsCancelledWhileItWaitsNeverRunsAndIsAnsweredAtOnce(ContainerKind kind) throws Exception {
        Works works = new Works();
        ResourceConfig application = new ResourceConfig(OneThread.class).registerInstances(works);
        try (Stage stage = Stage.start(kind, POLICY, JerseySite.of("/*", application));
                Logged logged = Logged.begin();
                RawClient first = stage.client().get("/first")) {
            await().until(() -> works.begun.contains("first"));
            RawClient gone = stage.client().get("/gone");
            RawClient late = stage.client().get("/late");
            RawClient patient = stage.client().get("/patient");

            assertThat(late.response().status()).isEqualTo(504);
            gone.close();
            await().untilAsserted(() -> assertThat(stage.scrape().count("hangup_calls_total", outcome("cancelled")))
                    .isEqualTo(2));
            works.first.countDown();
            assertThat(first.response().body()).isEqualTo("first");
            assertThat(patient.response().body()).isEqualTo("patient");
            assertThat(works.begun).containsExactly("first", "patient");
            await().untilAsserted(() ->
                    assertThat(stage.scrape().momentary().values()).containsOnly(0.0));
            logged.assertNoAlarms();
            late.close();
            patient.close();
        }
    }
}
