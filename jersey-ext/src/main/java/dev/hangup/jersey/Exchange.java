package dev.hangup.jersey;

import dev.hangup.call.CallScope;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.SseEventSink;
import java.util.concurrent.atomic.AtomicReference;
import org.glassfish.jersey.process.internal.RequestContext;
import org.glassfish.jersey.server.AsyncContext;
import org.glassfish.jersey.server.ChunkedOutput;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.model.ResourceMethod;
import org.glassfish.jersey.server.monitoring.RequestEvent;
import org.glassfish.jersey.server.monitoring.RequestEventListener;
import org.jspecify.annotations.Nullable;

/**
 * One request's way through Jersey, and the call that it is: captured on the container's thread, because the request may be
 * recycled by the time that a thread of Jersey's executor comes to it. The resource method's thread is attached, whichever it is.
 */
final class Exchange implements RequestEventListener {
    private final Exchanges home;
    private final CallScope call;
    /** Who runs the resource method, where that is a thread of Jersey's executor. */
    private final AtomicReference<@Nullable Thread> working = new AtomicReference<>();
    /** Who makes the response just now, if not the container's thread. Whatever has the response resumed is one thread, but a method may fail on another meanwhile. */
    private final AtomicReference<@Nullable Thread> responding = new AtomicReference<>();

    /** Written before any of the application's code. Null where nothing guards the response. */
    private @Nullable CallResponseWriter writer;

    Exchange(Exchanges home, CallScope call) {
        this.home = home;
        this.call = call;
    }

    /** Before any of the application's code. */
    void begin(ContainerRequest request) {
        if (call.isGuarded()) {
            writer = new CallResponseWriter(call, home.sinks(), request.getResponseWriter());
            request.setWriter(writer);
        }
    }

    @Override
    public void onEvent(RequestEvent event) {
        switch (event.getType()) {
            case REQUEST_FILTERED -> filtered(event);
            case RESOURCE_METHOD_START -> attach(working);
            case RESOURCE_METHOD_FINISHED -> leave(working);
            case RESP_FILTERS_START -> responds();
            case RESP_FILTERS_FINISHED -> answers(event.getContainerRequest(), event.getContainerResponse());
            // Or a listener of the application's that throws, here, would keep Jersey from saying that it has finished.
            case ON_EXCEPTION -> leave(responding);
            case FINISHED -> hasResponded();
            default -> {}
        }
    }

    /** Filters, writers and streams work for the call, too, on whatever thread; but not for the answer to a cancel, which nothing is to interrupt. */
    private void responds() {
        if (!call.isCancelled()) {
            attach(responding);
        }
    }

    /** The container's thread is the call's already, and the filter sees to its end, whatever listeners do. */
    private void attach(AtomicReference<@Nullable Thread> role) {
        if (CallScope.current() != call && role.compareAndSet(null, Thread.currentThread())) {
            call.attach();
        }
    }

    /** Jersey says so on the same thread; of a response in chunks when its head is out. */
    private void leave(AtomicReference<@Nullable Thread> role) {
        if (role.compareAndSet(Thread.currentThread(), null)) {
            call.leave();
        }
    }

    private void hasResponded() {
        CallResponseWriter guarding = writer;
        if (guarding != null) {
            guarding.responded();
        }
        leave(responding);
    }

    /** A call that is known late to be cancelled: its response is the container's own, and what sends chunks closes with it. */
    private void answers(ContainerRequest request, ContainerResponse response) {
        if (!call.isGuarded() && call.treatment().cancels()) {
            request.setProperty(RequestCalls.UNGUARDED, response);
            if (response.getEntity() instanceof ChunkedOutput<?> output && !(output instanceof SseEventSink)) {
                call.completer(() -> OpenSink.close(call, output));
            }
        }
    }

    /**
     * The method is about to begin, or to wait in the queue of Jersey's executor, perhaps for longer than its caller does. A cancel
     * resumes nothing that is not suspended yet, which finds itself cancelled when it comes to be.
     */
    private void filtered(RequestEvent event) {
        ResourceMethod method = event.getUriInfo().getMatchedResourceMethod();
        if (method != null && method.isSse()) {
            call.replies(MediaType.SERVER_SENT_EVENTS);
        }
        if (method != null
                && method.isManagedAsyncDeclared()
                && event.getContainerRequest().getAbortResponse() == null) {
            RequestContext context = home.scope().current();
            AsyncContext async =
                    home.async(); // now: once it is answered Jersey has none any more, and the call may go on
            call.completer(() -> resume(context, async));
        }
    }

    /** On a canceller. */
    private void resume(RequestContext context, AsyncContext async) {
        if (!home.isOver()) {
            home.scope().runInScope(context, () -> {
                async.resume(Cancelled.exception(call));
            });
        }
    }
}
