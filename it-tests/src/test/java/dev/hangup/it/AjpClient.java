package dev.hangup.it;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A web server in front of Tomcat, as far as AJP/1.3 needs one: a GET without headers, and what comes back. For one thread. */
final class AjpClient implements AutoCloseable {

    private static final int FORWARD_REQUEST = 2;
    private static final int GET = 2;
    private static final int SEND_BODY_CHUNK = 3;
    private static final int SEND_HEADERS = 4;
    private static final int END_RESPONSE = 5;
    private static final int GET_BODY_CHUNK = 6;
    private static final int END = 0xFF;

    private final Socket socket;
    private final DataInputStream in;

    private AjpClient(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
    }

    static AjpClient connect(Container container) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), container.port());
        socket.setSoTimeout(15_000);
        return new AjpClient(socket);
    }

    /** The status and the body. */
    String get(String path) throws IOException {
        return send(path).response();
    }

    AjpClient send(String path) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream packet = new DataOutputStream(bytes);
        packet.writeByte(FORWARD_REQUEST);
        packet.writeByte(GET);
        for (String text : new String[] {"HTTP/1.1", path, "127.0.0.1", "localhost", "localhost"}) {
            packet.writeShort(text.length());
            packet.writeBytes(text);
            packet.writeByte(0);
        }
        packet.writeShort(80);
        packet.writeByte(0); // no TLS
        packet.writeShort(0); // no headers
        packet.writeByte(END);
        write(bytes);
        return this;
    }

    private void write(ByteArrayOutputStream packet) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream head = new DataOutputStream(bytes);
        head.writeShort(0x1234);
        head.writeShort(packet.size());
        packet.writeTo(head);
        socket.getOutputStream().write(bytes.toByteArray());
    }

    private String response() throws IOException {
        String status = "none";
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            if (in.readShort() != 0x4142) {
                throw new IOException("not a packet of AJP");
            }
            byte[] payload = in.readNBytes(in.readUnsignedShort());
            switch (payload[0]) {
                case SEND_HEADERS -> status = Integer.toString(unsignedShort(payload));
                case SEND_BODY_CHUNK -> body.write(payload, 3, unsignedShort(payload));
                case GET_BODY_CHUNK -> write(new ByteArrayOutputStream()); // there is no more
                case END_RESPONSE -> {
                    return status + " " + body.toString(StandardCharsets.ISO_8859_1);
                }
                default -> throw new IOException("unexpected packet " + payload[0]);
            }
        }
    }

    private static int unsignedShort(byte[] payload) {
        return (payload[1] & 0xFF) << 8 | (payload[2] & 0xFF);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
