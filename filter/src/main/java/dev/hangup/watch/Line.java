package dev.hangup.watch;

import dev.hangup.call.Connection;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A connection that carries one request at a time, and so may be broken off. Safe for any thread. */
public final class Line implements Connection {
    private final NetworkChannel channel;
    private final Closeable close;
    private final Closeable closePending;

    /**
     * @param close closes the channel, and frees who waits in the container to read from it or to write to it: the close of a
     *     channel wakes no selector, and so nobody who waits for one
     */
    public Line(NetworkChannel channel, Closeable close) {
        this(channel, close, close);
    }

    /** @param closePending the same where it is not a thread that waits, but a listener */
    public Line(NetworkChannel channel, Closeable close, Closeable closePending) {
        this.channel = channel;
        this.close = close;
        this.closePending = closePending;
    }

    /** Whether this is a TCP connection (it may be a Unix domain socket's). One that is closed already counts as what it was most likely. */
    public static boolean isTcp(SocketChannel channel) throws IOException {
        try {
            return channel.getRemoteAddress() instanceof InetSocketAddress;
        } catch (ClosedChannelException e) {
            return true; // closed just now, by the container or by us
        }
    }

    /**
     * The address at the other end of a channel of TCP's; null for any other.
     *
     * @throws IOException if the channel is closed
     */
    public static @Nullable InetAddress peer(Object channel) throws IOException {
        SocketAddress remote = channel instanceof SocketChannel blocking
                ? blocking.getRemoteAddress()
                : channel instanceof AsynchronousSocketChannel other ? other.getRemoteAddress() : null;
        return remote instanceof InetSocketAddress tcp ? tcp.getAddress() : null;
    }

    /**
     * {@inheritDoc}
     *
     * <p>With SO_LINGER 0 the kernel sends RST: a response without length, which a FIN would complete, cannot look whole.
     */
    @Override
    public void abort() {
        abort(close);
    }

    @Override
    public void abortPendingWrite() {
        abort(closePending);
    }

    private void abort(Closeable how) {
        try {
            if (channel.supportedOptions().contains(StandardSocketOptions.SO_LINGER)) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            how.close();
        } catch (IOException e) {
            return; // closed by somebody else, which is what was wanted
        }
    }
}
