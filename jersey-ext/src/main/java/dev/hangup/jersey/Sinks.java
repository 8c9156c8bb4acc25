package dev.hangup.jersey;

import dev.hangup.call.CallScope;
import jakarta.ws.rs.sse.SseEventSink;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The sinks of an application's calls, from the resource method to the end of the call: Jersey's own, so that a cast finds them. Any thread. */
final class Sinks {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    /** Sinks are equal to themselves alone. */
    private final Map<SseEventSink, OpenSink> open = new ConcurrentHashMap<>();

    /** On the resource method's thread. */
    void follow(CallScope call, SseEventSink sink) {
        OpenSink known = new OpenSink(this, call, sink);
        open.put(sink, known);
        call.add(known); // which lets it go at once, if the call has ended
        call.completer(known::close);
    }

    /** Null for one that is no call's, or is closed. */
    @Nullable
    OpenSink find(SseEventSink sink) {
        return open.get(sink);
    }

    void forget(SseEventSink sink) {
        open.remove(sink);
    }

    /** What it had still to send is refused by now. */
    static void close(CallScope call, AutoCloseable sink) {
        try {
            sink.close();
        } catch (Exception e) {
            LOG.log(Level.DEBUG, call.endpoint() + ": closed after a cancel, with what it had not sent", e);
        }
    }
}
