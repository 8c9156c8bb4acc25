package dev.hangup.it;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLSocket;

/**
 * One TCP connection that speaks HTTP/1.1 byte by byte, and leaves as rudely as it is told to. Several requests may be sent
 * before the first response is read. For one thread at a time, but any thread may end the connection.
 */
public final class RawClient implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Socket socket;
    /** Below TLS, if there is TLS. */
    private final Socket tcp;

    private final Transcript in;
    private final OutputStream out;

    private RawClient(Socket tcp, Socket socket) throws IOException {
        this.tcp = tcp;
        this.socket = socket;
        this.in = new Transcript(new BufferedInputStream(socket.getInputStream()));
        this.out = socket.getOutputStream();
    }

    public static RawClient connect(Container container) throws IOException {
        return connect(container.port());
    }

    public static RawClient connect(int port) throws IOException {
        return connect(port, 0);
    }

    /** From this port of the caller's own. */
    public static RawClient connectFrom(int local, Container container) throws IOException {
        return connect(container.port(), local);
    }

    private static RawClient connect(int port, int local) throws IOException {
        Socket socket = new Socket();
        if (local != 0) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), local));
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) PATIENCE.toMillis());
        return new RawClient(socket, socket);
    }

    /** Over TLS, if the wire says so, whoever the server claims to be. */
    public static RawClient connect(Container container, Wire wire) throws IOException {
        return connect(container.port(), wire);
    }

    public static RawClient connect(int port, Wire wire) throws IOException {
        RawClient plain = connect(port);
        return wire.isSecure() ? new RawClient(plain.tcp, wire.secure(plain.tcp)) : plain;
    }

    /** One GET on a connection of its own. */
    public static RawResponse ask(Container container, String path, String... headers) throws IOException {
        try (RawClient client = connect(container)) {
            return client.get(path, headers).response();
        }
    }

    /** Sends these bytes in one write, so that requests in one text travel in one segment if they fit. */
    public RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawClient send(byte[] bytes) throws IOException {
        in.begin();
        out.write(bytes);
        out.flush();
        return this;
    }

    /** Sends a GET with these further header lines, each "Name: value". */
    public RawClient get(String path, String... headers) throws IOException {
        return send(head("GET", path, headers) + "\r\n");
    }

    /** Sends a POST with its body and content length, in one write. */
    public RawClient post(String path, byte[] body, String... headers) throws IOException {
        String head = head("POST", path, headers) + "Content-Length: " + body.length + "\r\n\r\n";
        return send(head + new String(body, StandardCharsets.ISO_8859_1));
    }

    /** The head of a request without the empty line that ends it. */
    public static String head(String method, String path, String... headers) {
        StringBuilder text =
                new StringBuilder(method).append(' ').append(path).append(" HTTP/1.1\r\nHost: localhost\r\n");
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        return text.toString();
    }

    /**
     * Reads the next response to its end.
     *
     * @throws java.io.EOFException if the connection ends before the response is whole
     * @throws SocketTimeoutException after 15 s of silence
     */
    public RawResponse response() throws IOException {
        return RawResponse.read(in);
    }

    /** Reads the next response to its end, which for the answer to a HEAD is the end of its head. */
    public RawResponse head() throws IOException {
        return RawResponse.readHead(in);
    }

    /** Reads a line of text, for what is not HTTP. */
    public String line() throws IOException {
        return RawResponse.line(in);
    }

    /** The beginning of what has come since something was sent last: what was read, and what lies ready to be. */
    public String heard() throws IOException {
        in.readNBytes(in.available());
        return in.text();
    }

    /** How long {@link #response} and {@link #endsWithin} bear silence. */
    public RawClient patience(Duration patience) throws IOException {
        socket.setSoTimeout((int) patience.toMillis());
        return this;
    }

    /** Whether the server ends the connection, by FIN or reset and without a further byte, within this time. */
    public boolean endsWithin(Duration time) throws IOException {
        patience(time);
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException reset) {
            return true;
        } finally {
            if (!socket.isClosed()) {
                patience(PATIENCE);
            }
        }
    }

    /** Sends TCP's urgent byte, below TLS. */
    public RawClient urgent(char data) throws IOException {
        tcp.sendUrgentData(data);
        return this;
    }

    /** A KeyUpdate of TLS 1.3, which asks the server to update its own, too. Any thread. */
    public RawClient updateKeys() throws IOException {
        ((SSLSocket) socket).startHandshake(); // is that, on a connection that stands
        return this;
    }

    public int localPort() {
        return tcp.getLocalPort();
    }

    /** Says "I shall send nothing more": a FIN (over TLS a close_notify), while this side still listens. A half-close. */
    public void fin() throws IOException {
        socket.shutdownOutput();
    }

    /** Hangs up with a RST. */
    public void rst() throws IOException {
        tcp.setSoLinger(true, 0);
        tcp.close();
    }

    /** Hangs up with a FIN that no close_notify comes before. A close would be a RST if TLS's session tickets have not been read. */
    public void cut() throws IOException {
        tcp.shutdownOutput();
    }

    /** Hangs up with a FIN (over TLS after a close_notify); what the server sends after that is answered by a RST. */
    @Override
    public void close() throws IOException {
        socket.close();
    }
}
