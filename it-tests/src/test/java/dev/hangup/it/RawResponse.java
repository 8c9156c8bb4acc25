package dev.hangup.it;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A whole HTTP/1.1 response. Header names are in lower case, repeated headers joined by a comma.
 * The body's end is known from its length or its last chunk; one that ends by the close of the connection is read to there.
 */
public record RawResponse(int status, Map<String, String> headers, String body) {

    @Nullable
    public String header(String name) {
        return headers.get(name.toLowerCase(Locale.ROOT));
    }

    public static RawResponse read(InputStream in) throws IOException {
        RawResponse head = readHead(in);
        byte[] body = body(in, head.status, head.headers);
        return new RawResponse(head.status, head.headers, new String(body, StandardCharsets.UTF_8));
    }

    public static RawResponse readHead(InputStream in) throws IOException {
        String statusLine = line(in);
        if (!statusLine.startsWith("HTTP/1.1 ")) {
            throw new IOException("not a status line: " + statusLine);
        }
        int status = Integer.parseInt(statusLine.substring(9, 12));
        Map<String, String> headers = new TreeMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            String name = header.substring(0, colon).toLowerCase(Locale.ROOT);
            headers.merge(name, header.substring(colon + 1).strip(), (first, second) -> first + ", " + second);
        }
        return new RawResponse(status, headers, "");
    }

    private static byte[] body(InputStream in, int status, Map<String, String> headers) throws IOException {
        if (status < 200 || status == 204 || status == 304) {
            return new byte[0];
        }
        if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
            return chunks(in);
        }
        String length = headers.get("content-length");
        return length == null ? in.readAllBytes() : exactly(in, Integer.parseInt(length));
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            int size = Integer.parseInt(line(in), 16);
            body.writeBytes(exactly(in, size));
            String end = line(in);
            if (!end.isEmpty()) {
                throw new IOException("a chunk of " + size + " bytes is followed by: " + end);
            }
            if (size == 0) {
                return body.toByteArray();
            }
        }
    }

    private static byte[] exactly(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the connection ended after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    public static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the connection ended within a line, after: " + text(line));
            }
            line.write(b);
        }
        String text = text(line);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private static String text(ByteArrayOutputStream line) {
        return line.toString(StandardCharsets.ISO_8859_1);
    }
}
