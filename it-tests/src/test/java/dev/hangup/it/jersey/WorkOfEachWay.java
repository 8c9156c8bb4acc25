package dev.hangup.it.jersey;

import dev.hangup.call.Call;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.ConnectionCallback;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.glassfish.jersey.server.ChunkedOutput;
import org.glassfish.jersey.server.ManagedAsync;

/** A resource with one method for each way of working that Jersey has; each does the same {@link Job}, for the caller of that number. */
@Path("/")
public final class WorkOfEachWay {
    private static final int LONGER_THAN_JERSEYS_BUFFER = 20_000;

    private final Job job;
    private final Executor pool;

    /** What takes long, and is to stop when its caller has left. */
    interface Job {
        /** Takes long; the call is the way and what its caller does, such as {@code sync/fin}. */
        void run(String call) throws Exception;

        /** The caller of a suspended response is gone, as Jakarta REST tells it. */
        void disconnected(String call);
    }

    /** @param pool the application's own, which Jersey knows nothing of */
    WorkOfEachWay(Job job, Executor pool) {
        this.job = job;
        this.pool = pool;
    }

    private String work(String call) {
        try {
            job.run(call);
            return "done";
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What fails there tells nobody. */
    private void inBackground(String call) {
        pool().execute(new FutureTask<>(() -> work(call)));
    }

    private Executor pool() {
        return Call.current().executor(pool);
    }

    @GET
    @Path("sync/{id}")
    public String sync(@PathParam("id") String id) throws Exception {
        job.run("sync/" + id);
        return "done";
    }

    @GET
    @ManagedAsync
    @Path("managed/{id}")
    public String managed(@PathParam("id") String id) throws Exception {
        job.run("managed/" + id);
        return "done";
    }

    @GET
    @Path("suspended/{id}")
    public void suspended(@PathParam("id") String id, @Suspended AsyncResponse response) {
        response.register((ConnectionCallback) gone -> job.disconnected("suspended/" + id));
        pool().execute(() -> {
            try {
                response.resume(work("suspended/" + id));
            } catch (RuntimeException e) {
                response.resume(e);
            }
        });
    }

    @GET
    @ManagedAsync
    @Path("managed-suspended/{id}")
    public void managedSuspended(@PathParam("id") String id, @Suspended AsyncResponse response) {
        response.register((ConnectionCallback) gone -> job.disconnected("managed-suspended/" + id));
        response.resume(work("managed-suspended/" + id));
    }

    @GET
    @Path("stage/{id}")
    public CompletionStage<String> stage(@PathParam("id") String id) {
        return CompletableFuture.supplyAsync(() -> work("stage/" + id), pool());
    }

    @GET
    @Path("stream/{id}")
    @Produces(MediaType.TEXT_PLAIN)
    public StreamingOutput stream(@PathParam("id") String id) {
        return out -> {
            out.write(new byte[LONGER_THAN_JERSEYS_BUFFER]);
            out.flush();
            work("stream/" + id);
        };
    }

    /** Resumed by a thread of the application's own, on which Jersey then writes. */
    @GET
    @Path("late-stream/{id}")
    @Produces(MediaType.TEXT_PLAIN)
    public void lateStream(@PathParam("id") String id, @Suspended AsyncResponse response) {
        pool.execute(() -> response.resume((StreamingOutput) out -> work("late-stream/" + id)));
    }

    @GET
    @Path("sse/{id}")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    public void events(@PathParam("id") String id, @Context SseEventSink sink, @Context Sse sse) {
        sink.send(sse.newEvent("begun"));
        inBackground("sse/" + id);
    }

    @GET
    @Path("chunked/{id}")
    @Produces(MediaType.TEXT_PLAIN)
    public ChunkedOutput<String> chunked(@PathParam("id") String id) throws Exception {
        ChunkedOutput<String> chunks = new ChunkedOutput<>(String.class);
        chunks.write("begun");
        inBackground("chunked/" + id);
        return chunks;
    }
}
