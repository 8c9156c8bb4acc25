package dev.hangup.jersey;

import dev.hangup.call.CallCancelledException;
import dev.hangup.call.CallScope;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import org.glassfish.jersey.server.ChunkedOutput;
import org.glassfish.jersey.server.ContainerException;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.internal.process.MappableException;
import org.glassfish.jersey.server.spi.ContainerResponseWriter;
import org.jspecify.annotations.Nullable;

/**
 * Jersey's way to the container's response, for a call that may be cancelled. From the cancel on the answer is the filter's: it
 * refuses whatever Jersey still has to say, which Jersey would report as errors with their traces. Here the head is dropped, and
 * flushing and closing succeed; a write fails, so that whoever still makes an answer ends.
 *
 * <p>Race: the watch, who cancels, and the writing of the first chunks, which may be the first to fail. Jersey would report that as an
 * error; here what sends them is closed a moment later, and so their sender hears of it.
 *
 * <p>Jersey does not complete the container's cycle if it fails late; the filter does, once Jersey has had its turn.
 */
final class CallResponseWriter implements ContainerResponseWriter {
    /** So many writes, mostly of a byte, are dropped while the head is made. */
    private static final int MOST = 100_000;

    private final CallScope call;
    private final Sinks sinks;
    private final ContainerResponseWriter container;
    /**
     * Whether Jersey's writer surely knows what it commits, without which it would wait for ever. It gives no stream where the answer has no
     * body, and where the container has completed the request already: then it forgets the answer at once. Written by the thread that commits.
     */
    private volatile boolean begun;
    /** What sends chunks. Written and read by the thread that makes the head. */
    private @Nullable OpenSink chunks;

    CallResponseWriter(CallScope call, Sinks sinks, ContainerResponseWriter container) {
        this.call = call;
        this.sinks = sinks;
        this.container = container;
    }

    @Override
    public OutputStream writeResponseStatusAndHeaders(long contentLength, ContainerResponse response)
            throws ContainerException {
        OpenSink open = beginning(response);
        if (open != null) {
            chunks = open;
        }
        boolean before = begun;
        begun = true; // at once: what closes chunks may commit meanwhile
        try {
            OutputStream body = container.writeResponseStatusAndHeaders(contentLength, response);
            begun = before || body != null; // a cancel's own answer may come after the first
            return body == null ? body : new Body(body, open);
        } catch (RuntimeException e) {
            if (!call.isCancelled()) {
                throw e;
            }
            return new Body(OutputStream.nullOutputStream(), open);
        }
    }

    private @Nullable OpenSink beginning(ContainerResponse response) {
        if (!(response.getEntity() instanceof ChunkedOutput<?> output)) {
            return null;
        }
        if (!(output instanceof SseEventSink sink)) {
            return OpenSink.beginning(call, output);
        }
        OpenSink open = sinks.find(sink);
        if (open != null) {
            open.begins();
        }
        return open;
    }

    /** The head is out, and what was to be sent with it. On the thread that made it. */
    void responded() {
        OpenSink open = chunks;
        if (open != null) {
            chunks = null;
            open.begun();
        }
    }

    /** Jersey shows its mappers an exception of its own only in this. */
    @Override
    public boolean suspend(long timeout, TimeUnit unit, TimeoutHandler handler) {
        try {
            return container.suspend(timeout, unit, handler);
        } catch (CallCancelledException e) {
            throw new MappableException(e);
        }
    }

    @Override
    public void setSuspendTimeout(long timeout, TimeUnit unit) {
        container.setSuspendTimeout(timeout, unit);
    }

    /** Of a cancelled call's answer nothing is missed. */
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
        private final @Nullable OpenSink open;
        /** By the thread that makes the head. */
        private int dropped;

        Body(OutputStream out, @Nullable OpenSink open) {
            this.out = out;
            this.open = open;
        }

        @Override
        public void write(int b) throws IOException {
            run(false, () -> out.write(b));
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            run(false, () -> out.write(bytes, offset, count));
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
            if (open != null && call.isCancelled() && isDropped(open)) {
                return; // it would be refused
            }
            try {
                action.run();
            } catch (IOException e) {
                if (!(open == null ? quiet && call.isCancelled() : isNoError(open, e) && isDropped(open))) {
                    throw e;
                }
            }
        }

        /** What sends chunks is closed by now, or will be, and tells its senders so; a chunk that was under way is no error. */
        private boolean isNoError(OpenSink chunks, IOException failed) {
            return call.isCancelled()
                    || chunks.isClosed()
                    || (LostCaller.isCause(call, failed) && chunks.closesLater());
        }

        /** Not for ever: a sender who is faster would keep the thread that makes the head. */
        private boolean isDropped(OpenSink chunks) {
            return !chunks.isBeginning() || ++dropped < MOST;
        }
    }
}
