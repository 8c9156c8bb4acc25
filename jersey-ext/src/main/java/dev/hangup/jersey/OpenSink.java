package dev.hangup.jersey;

import dev.hangup.call.CallResource;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import jakarta.ws.rs.sse.SseEventSink;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.glassfish.jersey.server.ChunkedOutput;
import org.jspecify.annotations.Nullable;

/**
 * What sends events or other chunks, and who wants to know when it closes: with a cancel, or with the call, whose response it is.
 *
 * <p>Race: a container that ends the response first, because it has found the connection broken itself, before Jersey has given the
 * sink its stream. Jersey would never close it, and its sender would go on for ever: here it closes with the call.
 *
 * <p>Race: a close, and the thread that makes the head and sends the first chunks. Jersey takes the answer away from under that
 * thread, and reports what comes of it as an error: here the close waits until that thread is through.
 */
final class OpenSink implements CallResource {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    private final CallScope call;
    /** Until it is closed: by it this is found. Guarded by this, as all that follows. */
    private @Nullable AutoCloseable output;

    private final List<Listener> listeners = new ArrayList<>(0);

    private boolean over;
    private boolean beginning;
    private boolean closing;

    interface Listener {
        /** The application's code may run {@code here}, on this thread, or is to run on another. */
        void closed(boolean here);
    }

    private OpenSink(CallScope call, AutoCloseable output) {
        this.call = call;
        this.output = output;
    }

    /** From now on it closes with the call. */
    static OpenSink of(CallScope call, AutoCloseable output) {
        return new OpenSink(call, output).follow();
    }

    /** The same of one whose head is about to be made, by this thread: see {@link #begins}. */
    static OpenSink beginning(CallScope call, AutoCloseable output) {
        OpenSink open = new OpenSink(call, output);
        open.begins(); // first: a call that is cancelled by now has it closed as soon as it follows
        return open.follow();
    }

    private OpenSink follow() {
        call.completer(this::close);
        call.add(this); // which lets it go at once, if the call has ended
        return this;
    }

    /** Told once, at once if it is closed by now. */
    void onClose(Listener listener) {
        synchronized (this) {
            if (!over) {
                listeners.add(listener);
                return;
            }
        }
        listener.closed(false);
    }

    /** Its head and first chunks are made, by this thread; until {@link #begun} it does not close. */
    synchronized void begins() {
        beginning = true;
    }

    /** They are made: closes if it was to close meanwhile. On the same thread. */
    void begun() {
        boolean late;
        synchronized (this) {
            beginning = false;
            late = closing;
        }
        if (late) {
            call.runtime().canceller().execute(this::close);
        }
    }

    /** Nobody takes what is written any more. False once it has begun: then whoever has written is to hear of it. */
    synchronized boolean closesLater() {
        closing |= beginning;
        return beginning;
    }

    synchronized boolean isBeginning() {
        return beginning;
    }

    /** Whether this has closed it. */
    synchronized boolean isClosed() {
        return output == null;
    }

    /** By a cancel, or when the call has ended. On a canceller. */
    private void close() {
        AutoCloseable open = take();
        if (open != null) {
            close(call, open);
            over(true);
        }
    }

    private synchronized @Nullable AutoCloseable take() {
        if (closesLater()) {
            return null;
        }
        AutoCloseable taken = output;
        output = null;
        return taken;
    }

    private void over(boolean here) {
        List<Listener> all;
        synchronized (this) {
            over = true;
            output = null;
            all = List.copyOf(listeners);
            listeners.clear();
        }
        all.forEach(listener -> listener.closed(here));
    }

    /** What a sender writes from now on is refused by the filter. */
    @Override
    public void refuse() {}

    /** Closed with the rest of the response, once hooks have run. */
    @Override
    public void cancel() {}

    @Override
    public void abort() {}

    /** The call has ended: mostly because the application has closed this, or a write has failed. */
    @Override
    public void disown() {
        AutoCloseable open;
        synchronized (this) {
            open = output;
        }
        if (open == null || isClosed(open)) {
            over(false);
        } else {
            call.runtime().canceller().execute(this::close);
        }
    }

    private static boolean isClosed(AutoCloseable output) {
        return output instanceof ChunkedOutput<?> chunks
                ? chunks.isClosed()
                : output instanceof SseEventSink sink && sink.isClosed();
    }

    /** What it had still to send is refused by now. */
    static void close(CallScope call, AutoCloseable output) {
        if (!call.isGuarded() && call.cancelReason().map(CancelReason::deadline).orElse(false)) {
            call.abort(); // or what is cut short would look whole to who still waits
        }
        try {
            output.close();
        } catch (Exception e) {
            LOG.log(Level.DEBUG, call.endpoint() + ": closed after a cancel, with what it had not sent", e);
        }
    }
}
