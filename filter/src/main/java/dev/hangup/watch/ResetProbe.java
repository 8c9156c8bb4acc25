package dev.hangup.watch;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * Tells a reset from a FIN: on a connected channel OP_CONNECT is ready only when the kernel reports an error or a hang-up, even
 * behind unread bytes. The channel must not stay registered so (it would be ready for ever), hence a selector of its own. Used on
 * the watcher thread only.
 */
final class ResetProbe implements AutoCloseable {
    private final Selector selector;

    ResetProbe() throws IOException {
        selector = Selector.open();
    }

    boolean isReset(SocketChannel channel) {
        try {
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            try {
                selector.selectNow();
                return key.isConnectable();
            } finally {
                key.cancel();
                selector.selectNow();
            }
        } catch (ClosedChannelException | CancelledKeyException e) {
            return false; // the container closed it meanwhile: nothing can be told, and nobody needs it
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
    }
}
