package dev.hangup.watch.tomcat;

import dev.hangup.call.Unwatched;
import dev.hangup.watch.CallerWatch;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's NIO2 connector, known to the kernel's table alone: no selector takes its channel, and a probing read would stay
 * pending and end a live connection. The table's word holds whether the body was read or not: a FIN or a reset is one, whoever
 * reads.
 */
record Nio2Watch(AsynchronousSocketChannel socket) implements CallerWatch {
    @Override
    public @Nullable SocketChannel channel() {
        return null;
    }

    @Override
    public AsynchronousSocketChannel socket() {
        return socket;
    }

    @Override
    public Verdict look() {
        return Verdict.AMBIGUOUS;
    }

    @Override
    public Unwatched unlisted() {
        return Unwatched.NIO2;
    }
}
