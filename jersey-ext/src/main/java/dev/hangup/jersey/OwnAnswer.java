package dev.hangup.jersey;

import dev.hangup.call.CallAnswer;
import dev.hangup.call.CallScope;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import org.glassfish.jersey.server.ContainerException;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.spi.ContainerResponseWriter;
import org.jspecify.annotations.Nullable;

/** Takes down what the application's mapper answers to a cancel, and hands it to the call; the container's response is refused to Jersey by then. */
final class OwnAnswer implements ContainerResponseWriter {
    private final CallScope call;
    private final ContainerResponseWriter container;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private @Nullable ContainerResponse head;

    OwnAnswer(CallScope call, ContainerResponseWriter container) {
        this.call = call;
        this.container = container;
    }

    /** The container is asked, too: it waits for that when it commits. */
    @Override
    public OutputStream writeResponseStatusAndHeaders(long contentLength, ContainerResponse response)
            throws ContainerException {
        head = response;
        try {
            container.writeResponseStatusAndHeaders(contentLength, response);
        } catch (ContainerException refused) {
            return body;
        }
        return body;
    }

    @Override
    public void commit() {
        ContainerResponse answer = head;
        if (answer != null) {
            call.answer(new CallAnswer(answer.getStatus(), answer.getStringHeaders(), body.toByteArray()));
        }
        container.commit();
    }

    @Override
    public void failure(Throwable error) {
        container.failure(error);
    }

    @Override
    public boolean suspend(long timeout, TimeUnit unit, TimeoutHandler handler) {
        return container.suspend(timeout, unit, handler);
    }

    @Override
    public void setSuspendTimeout(long timeout, TimeUnit unit) {
        container.setSuspendTimeout(timeout, unit);
    }

    @Override
    public boolean enableResponseBuffering() {
        return container.enableResponseBuffering();
    }
}
