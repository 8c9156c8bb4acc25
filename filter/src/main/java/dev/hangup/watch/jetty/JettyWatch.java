package dev.hangup.watch.jetty;

import dev.hangup.watch.CallerWatch;
import dev.hangup.watch.Watcher;
import java.io.IOException;
import java.nio.channels.SocketChannel;

/**
 * Jetty, HTTP/1.1. While a request is handled Jetty has no interest in the channel, so that nobody else reads it,
 * except the application its body. Readable and nothing available is the end of the stream; with a body only if a second look
 * finds the same and the connection has read nothing in between, because a reader may have taken the bytes after the select.
 *
 * <p>Over TLS the end mostly stands behind a record, the peer's close_notify, which nobody decodes here: the engine would answer it
 * in the middle of the response. Those bytes are ambiguous, and the kernel's table knows of the FIN behind them.
 */
final class JettyWatch implements CallerWatch {
    private static final long NOT_SEEN = -1;

    private final JettyInternals jetty;
    private final Object http;
    private final Object connection;
    private final SocketChannel channel;
    private final boolean mayHaveBody;
    private long bytesAtFirstLook = NOT_SEEN;
    private long firstLookAt;

    /**
     * @param http the one that writes responses
     * @param connection the one that reads from the channel
     */
    JettyWatch(JettyInternals jetty, Object http, Object connection, SocketChannel channel, boolean mayHaveBody) {
        this.jetty = jetty;
        this.http = http;
        this.connection = connection;
        this.channel = channel;
        this.mayHaveBody = mayHaveBody;
    }

    @Override
    public SocketChannel channel() {
        return channel;
    }

    @Override
    public boolean isAnswered() {
        return jetty.isEnding(http);
    }

    @Override
    public Verdict look() {
        int available;
        try {
            available = channel.socket().getInputStream().available();
        } catch (IOException e) {
            return channel.isOpen() ? Verdict.GONE : Verdict.AMBIGUOUS;
        }
        if (available > 0) {
            bytesAtFirstLook = NOT_SEEN;
            return Verdict.AMBIGUOUS;
        }
        return mayHaveBody ? secondLook() : Verdict.GONE;
    }

    private Verdict secondLook() {
        long now = System.nanoTime();
        long bytes = jetty.bytesIn(connection);
        if (bytes == bytesAtFirstLook && now - firstLookAt >= Watcher.SECOND_LOOK.toNanos()) {
            return Verdict.GONE;
        }
        if (bytes != bytesAtFirstLook) {
            bytesAtFirstLook = bytes;
            firstLookAt = now;
        }
        return Verdict.AGAIN;
    }
}
