package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.hangup.call.CallerAware;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.Logged;
import dev.hangup.it.RawClient;
import dev.hangup.it.Scrape;
import dev.hangup.it.Stage;
import dev.hangup.policy.Policy;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.WebApplicationException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;

/** Resources that return stages: whatever becomes of the stage, and whenever, the caller has one answer, and the call ends. */
@EachLine
final class StageResultsIT {
    private static final int TEAPOT = 418;
    private static final Queue<CompletableFuture<String>> PENDING = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void begin() {
        PENDING.clear();
    }

    /** Those of the JDK's stages that are only that are futures, too, which refuse what futures are asked. */
    @Path("/")
    public static final class Stages {
        @GET
        @Path("done")
        @CallerAware(deadline = "60s")
        public CompletionStage<String> done() {
            return CompletableFuture.completedStage("an answer");
        }

        @GET
        @Path("failed")
        @CallerAware(deadline = "60s")
        public CompletionStage<String> failed() {
            return CompletableFuture.failedStage(new WebApplicationException(TEAPOT));
        }

        @GET
        @Path("pending/{minimal}")
        @CallerAware(deadline = "700ms")
        public CompletionStage<String> pending(@PathParam("minimal") boolean minimal) {
            CompletableFuture<String> pending = new CompletableFuture<>();
            PENDING.add(pending);
            return minimal ? pending.minimalCompletionStage() : pending;
        }
    }

    @EachContainer
    void stagesAreAskedNothing(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(Stages.class));
                Logged log = Logged.begin()) {
            assertThat(RawClient.ask(stage.container, "/done").body()).isEqualTo("an answer");
            assertThat(RawClient.ask(stage.container, "/failed").status()).isEqualTo(TEAPOT);
            log.assertNoAlarms();
        }
    }

    @EachContainer
    void whatComesOfAStageAfterTheDeadlineComesToNothing(ContainerKind kind) throws Exception {
        try (Stage stage = Stage.start(kind, Policy.defaults(), JerseySite.of(Stages.class));
                Logged log = Logged.begin();
                RawClient client = stage.client()) {
            assertThat(client.get("/pending/true").response().status()).isEqualTo(504);
            PENDING.remove().complete("a foreign answer");
            assertThat(client.get("/done").response().body()).isEqualTo("an answer");
            assertThat(client.get("/pending/false").response().status()).isEqualTo(504);
            PENDING.remove().completeExceptionally(new IllegalStateException("on purpose"));
            assertThat(client.get("/done").response().body()).isEqualTo("an answer");
            await().untilAsserted(() -> assertThat(
                            stage.scrape().count("hangup_calls_total", Scrape.endpoint("GET /pending/{minimal}")))
                    .isEqualTo(2));
            log.assertNoAlarms();
        }
    }
}
