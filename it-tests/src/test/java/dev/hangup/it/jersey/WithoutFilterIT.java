package dev.hangup.it.jersey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hangup.Hangup;
import dev.hangup.HangupFilter;
import dev.hangup.call.Call;
import dev.hangup.call.CallCancelledException;
import dev.hangup.call.CallerAware;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Deadline;
import dev.hangup.it.Container;
import dev.hangup.it.ContainerKind;
import dev.hangup.it.EachContainer;
import dev.hangup.it.EachLine;
import dev.hangup.it.Logged;
import dev.hangup.it.RawClient;
import dev.hangup.it.RawResponse;
import dev.hangup.it.Site;
import dev.hangup.policy.Mode;
import dev.hangup.policy.Policy;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.StreamingOutput;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.glassfish.jersey.server.ResourceConfig;

/** Where no filter of ours is in front: said once, and everything as it was. */
@EachLine
final class WithoutFilterIT {

    @Path("/")
    @CallerAware(deadline = "300ms")
    public static class Plain {
        @GET
        @Path("slow")
        public String slow() throws InterruptedException {
            Thread.sleep(600);
            return "done";
        }

        @GET
        @Path("call")
        public String call(@Context Call call, @Context Deadline deadline) {
            return call.endpoint() + " " + call.isCancelled() + " " + (deadline == Deadline.NONE);
        }

        @GET
        @Path("async")
        public void async(@Suspended AsyncResponse response) {
            new Thread(() -> response.resume("done")).start();
        }

        @GET
        @Path("stage")
        public CompletionStage<String> stage() {
            return CompletableFuture.supplyAsync(() -> "done");
        }

        @GET
        @Path("stream")
        public StreamingOutput stream() {
            return out -> out.write("done".getBytes(StandardCharsets.UTF_8));
        }

        @GET
        @Path("own")
        public String own() {
            throw new CallCancelledException(CancelReason.MANUAL, "GET /elsewhere", Duration.ZERO);
        }
    }

    @EachContainer
    void itIsSaidOnceAndEverythingIsAsItWas(ContainerKind kind) throws Exception {
        try (Logged log = Logged.begin();
                Container container = kind.start(JerseySite.of(Plain.class))) {
            for (int round = 0; round < 2; round++) {
                for (String path : new String[] {"/slow", "/async", "/stage", "/stream"}) {
                    RawResponse whole = RawClient.ask(container, path);
                    assertThat(whole.status()).as(path).isEqualTo(200);
                    assertThat(whole.body()).as(path).isEqualTo("done");
                }
                assertThat(RawClient.ask(container, "/call").body()).isEqualTo("UNMATCHED false true");
                assertThat(RawClient.ask(container, "/own").status()).isEqualTo(503);
                assertThat(RawClient.ask(container, "/nothing").status()).isEqualTo(404);
            }
            assertThat(log.ours()).singleElement().asString().contains("no filter of Hangup's");
        }
    }

    /** There is a filter, and its policy says that it is off. */
    @EachContainer
    void whereItIsOffNothingIsSaid(ContainerKind kind) throws Exception {
        try (Logged log = Logged.begin();
                Hangup off = Hangup.builder()
                        .policy(Policy.builder().mode(Mode.OFF).build())
                        .build();
                Container container =
                        kind.start(JerseySite.with(new Site().filter(new HangupFilter(off)), "/*", application()))) {
            assertThat(RawClient.ask(container, "/call").body()).isEqualTo("UNMATCHED false true");
            assertThat(log.ours()).noneMatch(line -> line.contains("no filter of Hangup's"));
        }
    }

    private static ResourceConfig application() {
        return new ResourceConfig(Off.class);
    }

    @Path("/")
    public static class Off {
        @GET
        @Path("call")
        public String call(@Context Call call, @Context Deadline deadline) {
            return call.endpoint() + " " + call.isCancelled() + " " + (deadline == Deadline.NONE);
        }
    }
}
