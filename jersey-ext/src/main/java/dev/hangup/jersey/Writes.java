package dev.hangup.jersey;

import dev.hangup.call.CallScope;
import dev.hangup.call.Consequence;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.internal.process.MappableException;
import org.jspecify.annotations.Nullable;

/**
 * Around the writing of each body: what fails because the caller has left, or because of our cancel, ends it and is nobody's error.
 * Jersey would log it with its whole trace. Told from the application's own failures by where it comes from: a broken pipe to
 * somewhere else looks the same.
 */
final class Writes implements WriterInterceptor {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    /** Outside of all others: what they make of the body, they write to the container through us. */
    @Override
    public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
        CallScope call = (CallScope) context.getProperty(RequestCalls.PROPERTY);
        if (call == null || context.getProperty(RequestCalls.CHUNKS) != null) {
            context.proceed();
            return;
        }
        // Now: properties are attributes of the container's request, which may be over when a write has failed.
        @Nullable Disconnection suspended = (Disconnection) context.getProperty(RequestCalls.DISCONNECTION);
        @Nullable ContainerResponse unguarded = (ContainerResponse) context.getProperty(RequestCalls.UNGUARDED);
        Body body = new Body(context.getOutputStream());
        context.setOutputStream(body);
        boolean answersTheCancel = call.isCancelled();
        try {
            context.proceed();
            if (unguarded != null && !answersTheCancel && call.isCancelled()) {
                // Whatever it was that the application has swallowed, and stopped writing for. Mappers see it only in
                // this.
                throw new MappableException(Cancelled.exception(call));
            }
        } catch (IOException | RuntimeException e) {
            boolean cut = unguarded != null && unguarded.isCommitted() && call.isCancelled();
            if (cut) {
                call.abort(); // nobody else does, and Jersey would end what is cut short as if it were whole
            }
            if (Consequence.of(call, e)) {
                if (unguarded != null && !cut) {
                    throw e; // it is still to be answered
                }
            } else if (!body.lost(call)) {
                throw e;
            } else if (suspended != null) {
                // In Jersey's place, which sees no failure; the watch may never come to look at a young call.
                suspended.happened();
            }
            LOG.log(Level.DEBUG, "{0}: the body ends early: {1}", call.endpoint(), e);
        }
    }

    private static final class Body extends FilterOutputStream {
        private @Nullable IOException failure;

        Body(OutputStream container) {
            super(container);
        }

        boolean lost(CallScope call) {
            IOException failed = failure;
            return failed != null && LostCaller.isCause(call, failed);
        }

        @Override
        public void write(int b) throws IOException {
            try {
                out.write(b);
            } catch (IOException e) {
                throw failed(e);
            }
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            try {
                out.write(bytes, offset, count);
            } catch (IOException e) {
                throw failed(e);
            }
        }

        @Override
        public void flush() throws IOException {
            try {
                out.flush();
            } catch (IOException e) {
                throw failed(e);
            }
        }

        @Override
        public void close() throws IOException {
            try {
                out.close();
            } catch (IOException e) {
                throw failed(e);
            }
        }

        private IOException failed(IOException e) {
            failure = e;
            return e;
        }
    }
}
