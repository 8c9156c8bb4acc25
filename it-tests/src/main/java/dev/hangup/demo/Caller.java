package dev.hangup.demo;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A caller at its socket, for one attempt. It sends a request, reads until the server closes, or hangs up. Callers' thread only. */
final class Caller {
    private final SocketChannel channel;
    private final Attempt attempt;
    private final int earlierAttempts;
    private final ByteBuffer request;
    private final ByteBuffer response = ByteBuffer.allocate(2048);

    Caller(Attempt attempt, int earlierAttempts, String path, Selector selector, InetSocketAddress server)
            throws IOException {
        this.attempt = attempt;
        this.earlierAttempts = earlierAttempts;
        this.request = ByteBuffer.wrap(("GET " + path + attempt.id + " HTTP/1.1\r\nHost: " + server.getHostString()
                        + ":" + server.getPort() + "\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        this.channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.connect(server);
            channel.register(selector, SelectionKey.OP_CONNECT, this);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    Attempt attempt() {
        return attempt;
    }

    int attempts() {
        return earlierAttempts + 1;
    }

    boolean waits() {
        return channel.isOpen();
    }

    /** Goes on as far as the socket allows; false once the exchange is over. A connection that breaks ends it unserved. */
    boolean proceed(SelectionKey key) {
        try {
            if (key.isConnectable()) {
                channel.finishConnect();
                key.interestOps(SelectionKey.OP_WRITE);
            }
            if (key.isWritable()) {
                channel.write(request);
                key.interestOps(request.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            }
            if (key.isReadable() && channel.read(response) < 0) {
                if (isWholeReport()) {
                    attempt.servedAt = Attempt.now();
                }
                channel.close();
            }
        } catch (IOException broken) {
            hangUpQuietly();
        }
        return channel.isOpen();
    }

    /** Leaves without a response. */
    void hangUp() {
        attempt.leftAt = Attempt.now();
        hangUpQuietly();
    }

    private void hangUpQuietly() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new Refusal(Refusal.FAILED, "a caller's socket does not close: " + e.getMessage(), e);
        }
    }

    /** Its status is 200 and it ends as a report ends; a truncated one does not. */
    private boolean isWholeReport() {
        String text = new String(response.array(), 0, response.position(), StandardCharsets.US_ASCII);
        return text.startsWith("HTTP/1.1 200 ") && text.strip().endsWith("report " + attempt.id);
    }
}
