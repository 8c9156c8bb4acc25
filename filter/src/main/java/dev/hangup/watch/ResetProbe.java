package dev.hangup.watch;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
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

    /** False if it cannot be told. */
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
        } catch (IOException | CancelledKeyException e) {
            return false; // the container closed it meanwhile, or our own selector fails
        }
    }

    @Override
    public void close() throws IOException {
        selector.close();
    }
}
