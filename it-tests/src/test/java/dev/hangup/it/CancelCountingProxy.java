package dev.hangup.it;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a driver and PostgreSQL, passes everything on, and counts the cancel requests, each of which is a connection
 * of its own (PostgreSQL protocol, CancelRequest). It keeps each of them for a while, as a database at the other end of a
 * network would, so that those that come at once are seen at once.
 */
final class CancelCountingProxy implements AutoCloseable {

    private static final int CANCEL_REQUEST = 80877102;

    private final ServerSocket listener;
    private final int database;
    private final Duration delay;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger cancels = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();

    /** @param delay how long the way to the database takes for a cancel request */
    CancelCountingProxy(int database, Duration delay) throws IOException {
        this.database = database;
        this.delay = delay;
        this.listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    int cancels() {
        return cancels.get();
    }

    int mostAtOnce() {
        return mostAtOnce.get();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            sockets.add(client);
            start(() -> serve(client));
        }
    }

    /** The first message has a length and a code: a protocol version, or CancelRequest. The driver must not ask for TLS. */
    private void serve(Socket client) throws IOException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        byte[] first = in.readNBytes(8);
        boolean cancel = first.length == 8 && ByteBuffer.wrap(first).getInt(4) == CANCEL_REQUEST;
        if (cancel) {
            cancels.incrementAndGet();
            mostAtOnce.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            pause();
        }
        try (Socket server = new Socket(InetAddress.getLoopbackAddress(), database)) {
            sockets.add(server);
            server.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            server.getOutputStream().write(first);
            start(() -> pump(server.getInputStream(), client, cancel));
            in.transferTo(server.getOutputStream());
        }
    }

    /** From the database to the driver. When the database is done with a cancel it hangs up, and only then may the driver know. */
    private void pump(InputStream from, Socket client, boolean cancel) throws IOException {
        try (client) {
            try {
                from.transferTo(client.getOutputStream());
            } finally {
                if (cancel) {
                    underWay.decrementAndGet();
                }
            }
        }
    }

    private void pause() {
        try {
            Thread.sleep(delay.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Leg {
        void run() throws IOException;
    }

    private static void start(Leg leg) {
        Thread thread = new Thread(() -> {
            try {
                leg.run();
            } catch (IOException e) {
                return; // one side has hung up, or the proxy is closed: so ends each leg
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
