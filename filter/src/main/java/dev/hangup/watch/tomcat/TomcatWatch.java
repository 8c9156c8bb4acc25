package dev.hangup.watch.tomcat;

import dev.hangup.watch.CallerWatch;
import java.io.IOException;
import java.nio.channels.SocketChannel;

/**
 * Tomcat, HTTP/1.1 over NIO. While a request is processed Tomcat's poller has no interest in the channel, so that
 * nobody else reads it, except the application its body. Hence the four rules:
 *
 * <ol>
 *   <li>judge only if the body was fully read in an <em>earlier</em> round of the selector (a reader may take the last bytes
 *       between the select and the look); where there is no body there is no reader;
 *   <li>readable and nothing available: gone;
 *   <li>bytes available and Tomcat's buffer empty: one read of nothing moves them there and shows whether the stream
 *       ended; not over TLS, where the kernel's table tells;
 *   <li>all of it under the peer lock, which the end of the response takes, too.
 * </ol>
 */
final class TomcatWatch implements CallerWatch {
    private final TomcatInternals tomcat;
    private final Object coyote;
    private final Object wrapper;
    private final SocketChannel channel;
    private boolean readBefore;
    private final boolean mayRead;
    private final boolean endIsKnown;

    /**
     * @param mayRead not over TLS: decoding may write, into the buffers of whoever is writing the response
     * @param endIsKnown whether Tomcat knows the end of the body from a chunked body's last chunk, behind which its reader goes on
     */
    TomcatWatch(
            TomcatInternals tomcat,
            Object coyote,
            Object wrapper,
            SocketChannel channel,
            boolean mayHaveBody,
            boolean mayRead,
            boolean endIsKnown) {
        this.tomcat = tomcat;
        this.coyote = coyote;
        this.wrapper = wrapper;
        this.channel = channel;
        this.readBefore = !mayHaveBody;
        this.mayRead = mayRead;
        this.endIsKnown = endIsKnown;
    }

    @Override
    public SocketChannel channel() {
        return channel;
    }

    @Override
    public Verdict look() {
        if (!endIsKnown || !tomcat.bodyFullyRead(coyote)) {
            return Verdict.AMBIGUOUS;
        }
        if (!readBefore) {
            readBefore = true;
            return Verdict.AGAIN;
        }
        int available;
        try {
            available = channel.socket().getInputStream().available();
        } catch (IOException e) {
            return channel.isOpen() ? Verdict.GONE : Verdict.AMBIGUOUS;
        }
        if (available == 0) {
            return Verdict.GONE;
        }
        return mayRead && tomcat.endedBehindBytes(wrapper) ? Verdict.GONE : Verdict.AMBIGUOUS;
    }
}
