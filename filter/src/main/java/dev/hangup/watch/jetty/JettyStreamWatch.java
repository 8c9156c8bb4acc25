package dev.hangup.watch.jetty;

import dev.hangup.watch.CallerWatch;
import java.io.EOFException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Jetty, HTTP/2. Jetty reads the connection all the time and tells who listens of a stream's failure, in about a millisecond. It
 * does not while a read or a write waits (which fails instead), nor after the client's GOAWAY and FIN, nor at all with
 * {@code notifyRemoteAsyncErrors=false}: hence a look now and then. Never a selector of ours, which would read beside Jetty's.
 *
 * <p>Only an end of stream counts. An idle timeout is Jetty's own doing, and its caller may wait.
 */
final class JettyStreamWatch implements CallerWatch {
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final JettyInternals jetty;
    private final JettyStreams streams;
    private final Object api;
    private final Object core;
    private final Object endPoint;
    private final @Nullable Object stream;
    /** Set by Jetty's thread. */
    private volatile boolean lost;

    /** @param stream null if it had ended before the watch began */
    JettyStreamWatch(
            JettyInternals jetty,
            JettyStreams streams,
            Object api,
            Object core,
            Object endPoint,
            @Nullable Object stream) {
        this.jetty = jetty;
        this.streams = streams;
        this.api = api;
        this.core = core;
        this.endPoint = endPoint;
        this.stream = stream;
    }

    @Override
    public @Nullable SocketChannel channel() {
        return null;
    }

    @Override
    public Duration pause() {
        return PAUSE;
    }

    @Override
    public boolean isAnswered() {
        return streams.isAnswered(core);
    }

    /** Jetty drops a listener that comes after the failure: the first look sees that. */
    @Override
    public void begin(Runnable signal) {
        try {
            jetty.onFailure(core, failure -> {
                lost |= failure instanceof EOFException;
                signal.run();
            });
        } catch (IllegalStateException e) {
            return; // Jetty has ended the request meanwhile
        }
    }

    @Override
    public Verdict look() {
        return lost || isOver() ? Verdict.STREAM_RESET : Verdict.PRESENT;
    }

    private boolean isOver() {
        // Of a stream that is reset while it is written to Jetty may tell nobody, and recycle the request.
        if (!jetty.isConnected(endPoint) || jetty.isRecycled(api)) {
            return true;
        }
        // Ended before the watch began: by the client, or because the whole answer had been given.
        return stream == null ? !jetty.isCommitted(core) : streams.isRemotelyReset(stream);
    }
}
