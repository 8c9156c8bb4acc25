package dev.hangup.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP relay whose caller's departure goes no further: it keeps its own connection to the server open, and reads what the server
 * sends to nobody. Docker's userland proxy has done so.
 */
final class HalfOpenRelay implements AutoCloseable {

    private final int server;
    private final ServerSocket listening;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private HalfOpenRelay(int server) throws IOException {
        this.server = server;
        this.listening = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
    }

    static HalfOpenRelay start(int server) throws IOException {
        HalfOpenRelay relay = new HalfOpenRelay(server);
        thread(relay::accept);
        return relay;
    }

    int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket caller = listening.accept();
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server);
                sockets.add(caller);
                sockets.add(upstream);
                thread(() -> copy(caller, upstream));
                thread(() -> {
                    copy(upstream, caller);
                    close(caller);
                    close(upstream);
                });
            }
        } catch (IOException closed) {
            close();
        }
    }

    /** To the end of what comes; that it cannot be delivered, or has ended, is told to nobody. */
    private static void copy(Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        boolean listens = true;
        try {
            InputStream in = from.getInputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                listens = listens && deliver(to.getOutputStream(), buffer, n);
            }
        } catch (IOException reset) {
            return; // as good as an end
        }
    }

    private static boolean deliver(OutputStream to, byte[] bytes, int length) {
        try {
            to.write(bytes, 0, length);
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    private static void thread(Runnable task) {
        Thread thread = new Thread(task, "half-open-relay");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        sockets.forEach(HalfOpenRelay::close);
    }
}
