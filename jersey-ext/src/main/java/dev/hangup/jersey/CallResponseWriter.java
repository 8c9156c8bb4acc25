package dev.hangup.jersey;

import dev.hangup.call.CallScope;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import org.glassfish.jersey.server.ChunkedOutput;
import org.glassfish.jersey.server.ContainerException;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.spi.ContainerResponseWriter;

/**
 * Jersey's way to the container's response, for a call that may be cancelled. From the cancel on the answer is the filter's: it
 * refuses whatever Jersey still has to say, which Jersey would report as errors with their traces. Here the head is dropped, and
 * flushing and closing succeed; a write fails, so that whoever still makes an answer ends.
 *
 * <p>Jersey does not complete the container's cycle if it fails late; the filter does, once Jersey has had its turn.
 */
final class CallResponseWriter implements ContainerResponseWriter {
    private final CallScope call;
    private final ContainerResponseWriter container;
    /** Whether Jersey's writer knows what it commits, without which it would wait for ever. Written by the thread that commits. */
    private volatile boolean begun;

    CallResponseWriter(CallScope call, ContainerResponseWriter container) {
        this.call = call;
        this.container = container;
    }

    @Override
    public OutputStream writeResponseStatusAndHeaders(long contentLength, ContainerResponse response)
            throws ContainerException {
        if (response.getEntity() instanceof ChunkedOutput<?> output && !(output instanceof SseEventSink)) {
            call.completer(() -> Sinks.close(call, output));
        }
        begun = true;
        try {
            OutputStream body = container.writeResponseStatusAndHeaders(contentLength, response);
            return body == null ? body : new Body(body, dropsWrites(response));
        } catch (RuntimeException e) {
            if (!call.isCancelled()) {
                throw e;
            }
            return new Body(OutputStream.nullOutputStream(), dropsWrites(response));
        }
    }

    /** What sends chunks is closed by now, and tells its senders so; a chunk that was under way is no error. */
    private static boolean dropsWrites(ContainerResponse response) {
        return response.isChunked();
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
    public void commit() {
        if (begun || !call.isCancelled()) {
            unlessCancelled(container::commit);
        } else {
            failure(Cancelled.exception(call));
        }
    }

    @Override
    public void failure(Throwable error) {
        unlessCancelled(() -> container.failure(error));
    }

    @Override
    public boolean enableResponseBuffering() {
        return container.enableResponseBuffering();
    }

    private void unlessCancelled(Runnable end) {
        try {
            end.run();
        } catch (RuntimeException e) {
            if (!call.isCancelled()) {
                throw e;
            }
        }
    }

    private interface Io {
        void run() throws IOException;
    }

    private final class Body extends OutputStream {
        private final OutputStream out;
        private final boolean drops;

        Body(OutputStream out, boolean drops) {
            this.out = out;
            this.drops = drops;
        }

        @Override
        public void write(int b) throws IOException {
            run(drops, () -> out.write(b));
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            run(drops, () -> out.write(bytes, offset, count));
        }

        @Override
        public void flush() throws IOException {
            run(true, out::flush);
        }

        @Override
        public void close() throws IOException {
            run(true, out::close);
        }

        /** Looked at afterwards: the failure may be how the caller's departure was noticed, or the cancel may have come meanwhile. */
        private void run(boolean quiet, Io action) throws IOException {
            try {
                action.run();
            } catch (IOException e) {
                if (!(quiet && call.isCancelled())) {
                    throw e;
                }
            }
        }
    }
}
