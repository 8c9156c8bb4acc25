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
 * A server that the application calls: {@code /after/500} answers after so many milliseconds,
 * {@code /empty/500} without a body, {@code /chunked/500} in chunks, {@code /body} sends half of an answer
 * and then nothing, {@code /trickle} a byte every 50 ms, {@code /silent} nothing at all, {@code /echo} the method and the length of
 * what it was sent. It knows who has given up.
 */
public final class Downstream implements AutoCloseable {

    private final ServerSocket server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    /** What has been asked: the lines of each request's head. */
    public final List<List<String>> asked = new CopyOnWriteArrayList<>();
    /** How many have closed their connection without an answer, or in the midst of one. */
    public final AtomicInteger left = new AtomicInteger();

    public Downstream() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    /** How many connections have been made. */
    public int connections() {
        return sockets.size();
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
            String line = in.readLine();
            if (line == null) {
                left.incrementAndGet(); // before it had asked
            }
            for (; line != null; line = in.readLine()) {
                List<String> head = new CopyOnWriteArrayList<>();
                for (; line != null && !line.isEmpty(); line = in.readLine()) {
                    head.add(line);
                }
                asked.add(head);
                String request = head.get(0);
                if (request.contains(" /echo ")) {
                    echo(socket, in, head);
                    continue;
                }
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
        if (path.startsWith("/empty/")) {
            TimeUnit.MILLISECONDS.sleep(Long.parseLong(path.substring("/empty/".length())));
            send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            return;
        }
        if (path.startsWith("/chunked/")) {
            TimeUnit.MILLISECONDS.sleep(Long.parseLong(path.substring("/chunked/".length())));
            send(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nanswer\r\n");
            send(socket, "0\r\n\r\n");
            return;
        }
        if (path.equals("/body")) {
            send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\nanswer");
        }
        if (path.equals("/trickle")) {
            send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
            while (true) {
                send(socket, "a"); // a write fails once it is known that nobody waits
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
        if (in.read() < 0) {
            throw new IOException("nobody waits any more");
        }
    }

    private static void echo(Socket socket, BufferedReader in, List<String> head) throws IOException {
        long length = 0;
        String declared = head.stream()
                .filter(line -> line.regionMatches(true, 0, "content-length:", 0, 15))
                .findFirst()
                .orElse("");
        if (!declared.isEmpty()) {
            length = Long.parseLong(declared.substring(15).strip());
            in.skip(length);
        } else {
            for (int chunk = chunk(in); chunk > 0; chunk = chunk(in)) {
                length += chunk;
                in.skip(chunk);
                in.readLine();
            }
            in.readLine();
        }
        String answer = head.get(0).substring(0, head.get(0).indexOf(' ')) + " " + length;
        send(socket, "HTTP/1.1 200 OK\r\nContent-Length: " + answer.length() + "\r\n\r\n" + answer);
    }

    private static int chunk(BufferedReader in) throws IOException {
        return Integer.parseInt(in.readLine(), 16);
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
