package dev.hangup.demo.jersey;

import dev.hangup.call.Call;
import dev.hangup.call.CallerAware;
import dev.hangup.demo.ReportDesk;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.InternalServerErrorException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.Executor;

/**
 * Reports in every way in which a resource can answer. What is Hangup's here is the annotation, and {@code Call.executor}, by which
 * work that goes to the application's own threads stays work for the caller.
 */
@Path("/")
@Produces(MediaType.TEXT_PLAIN)
public final class ReportResource {
    /** As many events as a report's progress makes. */
    public static final int STEPS = 20;

    private static final System.Logger LOG = System.getLogger(ReportResource.class.getName());
    private static final long RETRY_AFTER_SECONDS = 1;

    private final ReportDesk slow;
    private final ReportDesk fast;
    private final Executor background;

    /** @param background on which reports are made that nobody's thread waits for */
    public ReportResource(ReportDesk slow, ReportDesk fast, Executor background) {
        this.slow = slow;
        this.fast = fast;
        this.background = background;
    }

    /** A slow report; it stops when its caller hangs up. */
    @GET
    @Path("reports/{id}")
    @CallerAware(deadline = "90s")
    public String report(@PathParam("id") long id) {
        return made(slow, id);
    }

    /** The same without an annotation: Hangup only counts. */
    @GET
    @Path("drafts/{id}")
    public String draft(@PathParam("id") long id) {
        return made(slow, id);
    }

    @GET
    @Path("orders/{id}")
    public String order(@PathParam("id") long id) {
        return made(fast, id);
    }

    /** A slow report that a thread of the application's makes. */
    @GET
    @Path("exports/{id}")
    @CallerAware(deadline = "90s")
    public void export(@PathParam("id") long id, @Suspended AsyncResponse response) {
        Call.current().executor(background).execute(() -> {
            try {
                response.resume(made(slow, id));
            } catch (RuntimeException failed) {
                response.resume(failed);
            }
        });
    }

    /** A slow report, with an event after each step and one with the report. */
    @GET
    @Path("progress/{id}")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @CallerAware(deadline = "90s")
    public void progress(@PathParam("id") long id, @Context SseEventSink sink, @Context Sse sse) {
        Call call = Call.current();
        call.executor(background).execute(() -> {
            try (sink) {
                String report =
                        slow.make(id, STEPS, step -> sink.send(sse.newEvent("progress", 100 * step / STEPS + " %"))
                                .toCompletableFuture()
                                .join());
                sink.send(sse.newEvent("report", report)).toCompletableFuture().join();
            } catch (SQLException | IOException | RuntimeException failed) {
                // the answer has begun: all that can be done is to end it
                LOG.log(call.isCancelled() ? Level.DEBUG : Level.WARNING, call.endpoint(), failed);
            }
        });
    }

    private static String made(ReportDesk desk, long id) {
        try {
            return desk.make(id) + "\n";
        } catch (SQLException failed) {
            throw problem(failed);
        }
    }

    private static WebApplicationException problem(SQLException failed) {
        return failed instanceof SQLTransientConnectionException
                ? new ServiceUnavailableException(RETRY_AFTER_SECONDS, failed)
                : new InternalServerErrorException(failed);
    }
}
