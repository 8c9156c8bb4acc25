package dev.hangup.watch;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A TCP connection as the kernel knows it: by the addresses of its two ends, ours first. */
public record Route(InetSocketAddress local, InetSocketAddress remote) {

    /**
     * By hand: JDK 17 keeps the class of a record whose own equals was called once, and with it the class loader of an
     * application that is gone (in the cache of java.lang.runtime.ObjectMethods).
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Route route && local.equals(route.local) && remote.equals(route.remote);
    }

    @Override
    public int hashCode() {
        return 31 * local.hashCode() + remote.hashCode();
    }

    /** The channel's own; null if it is closed, or no TCP connection. Never what a request says of itself: filters rewrite that. */
    public static @Nullable Route of(@Nullable NetworkChannel channel) {
        try {
            return channel != null
                            && channel.getLocalAddress() instanceof InetSocketAddress local
                            && remote(channel) instanceof InetSocketAddress remote
                    ? new Route(local, remote)
                    : null;
        } catch (IOException e) {
            return null; // closed by the container just now
        }
    }

    private static @Nullable SocketAddress remote(NetworkChannel channel) throws IOException {
        if (channel instanceof SocketChannel selectable) {
            return selectable.getRemoteAddress();
        }
        return channel instanceof AsynchronousSocketChannel other ? other.getRemoteAddress() : null;
    }
}
