package dev.hangup.it.jersey;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * A server that takes what clients send, and knows whether it was whole. {@code /take} says how much it was; {@code /moved/307?to} sends
 * on to another address; {@code /moving/302?to} does that in a body that never ends; {@code /stalled} takes nothing but the head, and says
 * nothing.
 */
final class Depot implements AutoCloseable {
    private final ServerSocket server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    /** Opened when the test is over. */
    private final CountDownLatch open = new CountDownLatch(1);

    final List<Delivery> deliveries = new CopyOnWriteArrayList<>();

    /**
     * One request.
     *
     * @param bytes of its body that have come
     */
    record Delivery(String method, String path, Map<String, String> fields, int bytes, boolean isWhole) {}

    Depot() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    URI at(String path) {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + path);
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                daemon(() -> serve(socket));
            }
        } catch (IOException e) {
            deliveries.clear(); // closed: the test is over
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (String line = line(in); true; line = line(in)) {
                String[] request = line.split(" ");
                Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
                for (String field = line(in); !field.isEmpty(); field = line(in)) {
                    int colon = field.indexOf(':');
                    fields.put(
                            field.substring(0, colon),
                            field.substring(colon + 1).strip());
                }
                if (request[1].equals("/stalled")) {
                    deliveries.add(new Delivery(request[0], request[1], fields, 0, false));
                    open.await();
                    return;
                }
                Body body = Body.read(in, fields);
                deliveries.add(new Delivery(request[0], request[1], fields, body.bytes, body.isWhole));
                if (!answer(socket, request, body)) {
                    return;
                }
            }
        } catch (IOException | InterruptedException gone) {
            sockets.remove(socket);
        }
    }

    /** Whether the connection goes on. */
    private static boolean answer(Socket socket, String[] request, Body body) throws IOException {
        String path = request[1];
        if (path.startsWith("/mov")) {
            String to = URLDecoder.decode(path.substring(path.indexOf('?') + 1), StandardCharsets.UTF_8);
            String status = path.substring(path.indexOf('/', 1) + 1, path.indexOf('?'));
            boolean ends = path.startsWith("/moved");
            say(socket, status + " Elsewhere\r\nLocation: " + to, ends ? 9 : 1_000_000, "elsewhere");
        } else if (body.isWhole) {
            String text = request[0] + " " + body.bytes;
            say(socket, "200 OK", text.length(), text);
        }
        return body.isWhole;
    }

    private static void say(Socket socket, String head, int length, String text) throws IOException {
        socket.getOutputStream()
                .write(("HTTP/1.1 " + head + "\r\nContent-Length: " + length + "\r\n\r\n" + text)
                        .getBytes(StandardCharsets.US_ASCII));
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    private record Body(int bytes, boolean isWhole) {
        static Body read(InputStream in, Map<String, String> fields) {
            int bytes = 0;
            try {
                if (!fields.containsKey("transfer-encoding")) {
                    int length = Integer.parseInt(fields.getOrDefault("content-length", "0"));
                    bytes = in.readNBytes(length).length;
                    return new Body(bytes, bytes == length);
                }
                for (int chunk = chunk(in); chunk > 0; chunk = chunk(in)) {
                    bytes += in.readNBytes(chunk).length;
                    line(in);
                }
                line(in);
                return new Body(bytes, true);
            } catch (IOException cut) {
                return new Body(bytes, false);
            }
        }

        private static int chunk(InputStream in) throws IOException {
            return Integer.parseInt(line(in), 16);
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "depot");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        open.countDown();
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
