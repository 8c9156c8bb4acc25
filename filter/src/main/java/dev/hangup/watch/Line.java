package dev.hangup.watch;

import dev.hangup.call.Connection;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;

/** A connection that carries one request at a time, and so may be broken off. Safe for any thread. */
public final class Line implements Connection {
    private final NetworkChannel channel;

    public Line(NetworkChannel channel) {
        this.channel = channel;
    }

    /**
     * {@inheritDoc}
     *
     * <p>With SO_LINGER 0 a close sends RST: a response without length, which a FIN would complete, cannot look whole. Whoever
     * waits inside for the container's selector would wait on after a close, which no selector notices; a channel that is shut
     * in both directions is ready for everything, the next read or write fails, and the container closes it.
     */
    @Override
    public void abort(boolean inUse) {
        try {
            if (channel.supportedOptions().contains(StandardSocketOptions.SO_LINGER)) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            if (inUse && channel instanceof SocketChannel socket) {
                socket.shutdownInput();
                socket.shutdownOutput();
            } else {
                channel.close();
            }
        } catch (IOException e) {
            return; // closed by somebody else, which is what was wanted
        }
    }
}
