package dev.hangup.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server that the application calls: {@code /after/500} answers after so many milliseconds, {@code /body} sends half of an answer
 * and then nothing, {@code /silent} nothing at all. It knows who has given up.
 */
public final class Downstream implements AutoCloseable {

    private final ServerSocket server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    /** What has been asked: the lines of each request's head. */
    public final List<List<String>> asked = new CopyOnWriteArrayList<>();
    /** How many of those who asked have closed their connection without an answer, or in the midst of one. */
    public final AtomicInteger left = new AtomicInteger();

    public Downstream() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    public String host() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    public URI at(String path) {
        return URI.create("http://" + host() + path);
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                daemon(() -> serve(socket));
            }
        } catch (IOException e) {
            closeAll(); // closed: the test is over
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                List<String> head = new CopyOnWriteArrayList<>();
                for (; line != null && !line.isEmpty(); line = in.readLine()) {
                    head.add(line);
                }
                asked.add(head);
                String request = head.get(0);
                answer(socket, in, request.substring(request.indexOf(' ') + 1, request.lastIndexOf(' ')));
            }
        } catch (IOException | InterruptedException e) {
            left.incrementAndGet();
        }
    }

    private void answer(Socket socket, BufferedReader in, String path) throws IOException, InterruptedException {
        if (path.startsWith("/after/")) {
            TimeUnit.MILLISECONDS.sleep(Long.parseLong(path.substring("/after/".length())));
            send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nanswer");
            return;
        }
        if (path.equals("/body")) {
            send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\nanswer");
        }
        if (in.read() < 0) {
            throw new IOException("nobody waits any more");
        }
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "downstream");
        thread.setDaemon(true);
        thread.start();
    }

    private void closeAll() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        closeAll();
    }
}
