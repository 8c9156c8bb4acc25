package dev.hangup.watch;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * One look at a channel, with a selector of its own, so that the channel does not stay registered. Used by one thread at a time.
 */
final class ChannelProbe implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    private final Selector selector;

    ChannelProbe() throws IOException {
        selector = Selector.open();
    }

    /**
     * Tells a reset from a FIN: on a connected channel OP_CONNECT is ready only when the kernel reports an error or a hang-up, even
     * behind unread bytes; left registered it would be ready for ever. False if it cannot be told.
     */
    boolean isReset(SocketChannel channel) {
        return isReady(channel, SelectionKey.OP_CONNECT);
    }

    /** Whether there are bytes or the end of the stream; false if it cannot be told. */
    boolean isReadable(SocketChannel channel) {
        return isReady(channel, SelectionKey.OP_READ);
    }

    /**
     * Whether the stream has ended, for whoever has found it readable with nothing to read. An end stays, and so it is readable
     * still; a channel that somebody has just read empty is not. And nothing may be in front of it, not even TCP's urgent byte, at
     * which FIONREAD stops.
     */
    boolean isAtEnd(SocketChannel channel) {
        if (!isReadable(channel)) {
            return false;
        }
        try {
            Socket socket = channel.socket();
            boolean before = socket.getOOBInline();
            socket.setOOBInline(true);
            try {
                return socket.getInputStream().available() == 0;
            } finally {
                socket.setOOBInline(before);
            }
        } catch (IOException e) {
            return channel.isOpen();
        }
    }

    private boolean isReady(SocketChannel channel, int operation) {
        try {
            SelectionKey key = channel.register(selector, operation);
            try {
                selector.selectNow();
                return (key.readyOps() & operation) != 0;
            } finally {
                key.cancel();
                selector.selectNow();
                selector.selectedKeys().clear();
            }
        } catch (IOException | CancelledKeyException e) {
            return false; // the container closed it meanwhile, or our own selector fails
        }
    }

    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "a selector did not close", e);
        }
    }
}
