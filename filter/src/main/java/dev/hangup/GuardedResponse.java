package dev.hangup;

import dev.hangup.Consequence.RefusedException;
import dev.hangup.call.CallResponse;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Connection;
import dev.hangup.policy.Settings;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * The response of a call that may be cancelled. The container's reads and writes are not interrupted (on Tomcat an interrupt
 * there closes the whole connection); after a cancel the application's further status, error pages and writes are refused, and
 * what is answered instead is {@link Farewell}; after the end everything is refused, because the container may have given the
 * response to somebody else.
 */
final class GuardedResponse extends HttpServletResponseWrapper implements CallResponse {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    private final CallScope call;
    private final HttpServletResponse raw;
    private final Settings settings;
    private final boolean head;
    /** Made by the application's first getOutputStream or getWriter. */
    private @Nullable ServletOutputStream stream;

    private @Nullable PrintWriter writer;
    /** Written by the worker that is in a write. */
    private volatile boolean inWrite;
    /** The application has closed the body, all of it, before any cancel. */
    private volatile boolean complete;
    /** The container's own context, once the request is asynchronous. */
    private volatile @Nullable AsyncContext async;
    /** We have completed it, under the peer lock. */
    private volatile boolean completed;

    GuardedResponse(CallScope call, HttpServletResponse raw, String method, Settings settings) {
        super(raw);
        this.call = call;
        this.raw = raw;
        this.settings = settings;
        this.head = method.equals("HEAD");
    }

    // ---- container I/O, on workers

    interface Io {
        void run() throws IOException;
    }

    /** Runs container I/O without interrupts; what it was cancelled by meanwhile is raised as the stream's own exception. */
    void io(boolean write, Io action) throws IOException {
        refuseIfOver();
        boolean raise;
        CallScope.enterGuard();
        try {
            inWrite = write;
            action.run();
        } finally {
            inWrite = false;
            raise = CallScope.leaveGuard();
        }
        if (raise) {
            refuseIfOver();
        }
    }

    private void refuseIfOver() throws IOException {
        if (isRefused()) {
            throw new RefusedException(
                    call.isCancelled()
                            ? call.endpoint() + " is cancelled: "
                                    + call.cancelReason().orElseThrow()
                            : call.endpoint() + " is over");
        }
    }

    boolean isRefused() {
        return call.isCancelled() || call.isResponseOver();
    }

    void closed() {
        complete = !isRefused();
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (stream == null) {
            refuseIfOver();
            stream = new GuardedOutputStream(this, raw.getOutputStream());
        }
        return stream;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (writer == null) {
            refuseIfOver();
            writer = new GuardedWriter(this, raw.getWriter());
        }
        return writer;
    }

    @Override
    public void flushBuffer() throws IOException {
        io(true, raw::flushBuffer);
    }

    /** Refused in silence after a cancel: an application that reports the cancel as an error shall not fail once more. */
    @Override
    public void sendError(int status, String message) throws IOException {
        if (!isRefused()) {
            io(true, () -> raw.sendError(status, message));
        }
    }

    @Override
    public void sendError(int status) throws IOException {
        if (!isRefused()) {
            io(true, () -> raw.sendError(status));
        }
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        if (!isRefused()) {
            io(true, () -> raw.sendRedirect(location));
        }
    }

    @Override
    public void setStatus(int status) {
        if (!isRefused()) {
            raw.setStatus(status);
        }
    }

    @Override
    public void reset() {
        if (!isRefused()) {
            raw.reset();
            stream = null;
            writer = null;
        }
    }

    @Override
    public void resetBuffer() {
        if (!isRefused()) {
            raw.resetBuffer();
        }
    }

    // ---- the end of a cancelled call

    /** On the worker, after it has left the call and before the response is over. */
    void farewell() {
        CancelReason reason = call.cancelReason().orElseThrow();
        try {
            if (!raw.isCommitted()) {
                Farewell.write(raw, call, reason, settings, head);
            } else if (!reason.callerGone() && !complete && !call.abort()) {
                LOG.log(Level.DEBUG, "{0}: a truncated response could not be aborted", call.endpoint());
            }
        } catch (IOException | IllegalStateException e) {
            LOG.log(Level.DEBUG, "{0}: the answer to a cancelled call could not be written: {1}", call.endpoint(), e);
        }
    }

    /** A cancel between the start of the cycle and here has found nothing to complete: look again after telling. */
    void asynchronous(AsyncContext context) {
        async = context;
        call.completeIfCancelled();
    }

    Runnable carried(Runnable task) {
        return call.wrap(task);
    }

    /**
     * What the application does to its asynchronous cycle. Races: a worker that has seen the cancel may come here before the
     * canceller, and must not complete an empty success, so it completes what the canceller would; or we complete it just now,
     * then the container refuses this, and it is over all the same.
     */
    void unlessCancelled(Runnable action) {
        CallScope.enterGuard();
        try {
            if (call.isCancelled()) {
                call.completeIfCancelled();
            } else {
                action.run();
            }
        } catch (IllegalStateException e) {
            if (!call.isCancelled()) {
                throw e;
            }
        } finally {
            CallScope.leaveGuardQuietly();
        }
    }

    @Override
    public boolean inWrite() {
        return inWrite;
    }

    @Override
    public boolean synchronousAndUncommitted() {
        return async == null && !raw.isCommitted();
    }

    @Override
    public void completeAsync(CancelReason reason, @Nullable Connection connection) {
        AsyncContext context = async;
        if (context == null || completed) {
            return;
        }
        completed = true;
        try {
            if (!raw.isCommitted()) {
                Farewell.write(raw, call, reason, settings, head);
            } else if (!reason.callerGone() && !complete && connection != null) {
                connection.abort();
            }
            context.complete();
        } catch (IOException | IllegalStateException e) {
            // The application completes it at this very moment, or the container has: it is over either way.
            LOG.log(Level.DEBUG, "{0}: an asynchronous call ended while it was completed: {1}", call.endpoint(), e);
        }
    }
}
