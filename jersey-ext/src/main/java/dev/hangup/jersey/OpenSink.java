package dev.hangup.jersey;

import dev.hangup.call.CallResource;
import dev.hangup.call.CallScope;
import jakarta.ws.rs.sse.SseEventSink;
import java.util.ArrayList;
import java.util.List;

/** A sink of server-sent events and who wants to know when it closes: with a cancel, or with the call, whose response it is. */
final class OpenSink implements CallResource {
    private final Sinks home;
    private final CallScope call;
    private final SseEventSink sink;
    /** Guarded by this, as {@code over}. */
    private final List<Listener> listeners = new ArrayList<>(1);

    private boolean over;

    interface Listener {
        /** The application's code may run {@code here}, on this thread, or is to run on another. */
        void closed(boolean here);
    }

    OpenSink(Sinks home, CallScope call, SseEventSink sink) {
        this.home = home;
        this.call = call;
        this.sink = sink;
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

    /** On a canceller. */
    void close() {
        Sinks.close(call, sink);
        over(true);
    }

    private void over(boolean here) {
        List<Listener> all;
        synchronized (this) {
            over = true;
            all = List.copyOf(listeners);
            listeners.clear();
        }
        home.forget(sink);
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

    /** The application has closed it, or a write has failed: the call has ended. */
    @Override
    public void disown() {
        over(false);
    }
}
