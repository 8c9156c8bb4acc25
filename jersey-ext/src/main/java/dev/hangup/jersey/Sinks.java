package dev.hangup.jersey;

import dev.hangup.call.CallScope;
import jakarta.ws.rs.sse.SseEventSink;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The sinks of an application's calls: Jersey's own, so that a cast finds them. Those of calls that may be cancelled close with
 * them, and tell whoever asks; those of calls that are observed are left to Jersey. Any thread.
 */
final class Sinks {
    /** By the sink, which is equal to itself alone, for as long as the application has it: what is closed is found as closed. */
    private final Map<SseEventSink, OpenSink> known = Collections.synchronizedMap(new WeakHashMap<>());

    /** On the resource method's thread. */
    void follow(CallScope call, SseEventSink sink) {
        if (call.treatment().cancels()) {
            known.put(sink, OpenSink.of(call, sink));
        } else {
            call.completer(
                    () -> OpenSink.close(call, sink)); // by the application's own cancel, which it is in every mode
        }
    }

    /** Null for one that is left to Jersey. */
    @Nullable
    OpenSink find(SseEventSink sink) {
        return known.get(sink);
    }
}
