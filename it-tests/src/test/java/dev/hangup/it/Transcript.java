package dev.hangup.it;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Keeps the beginning of what is read. */
final class Transcript extends FilterInputStream {

    private static final int MOST = 256 * 1024;

    private final ByteArrayOutputStream heard = new ByteArrayOutputStream();

    Transcript(InputStream in) {
        super(in);
    }

    /** Forgets what was read before. */
    void begin() {
        heard.reset();
    }

    String text() {
        return heard.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public int read() throws IOException {
        int read = in.read();
        if (read >= 0 && heard.size() < MOST) {
            heard.write(read);
        }
        return read;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int read = in.read(bytes, offset, length);
        heard.write(bytes, offset, Math.max(0, Math.min(read, MOST - heard.size())));
        return read;
    }
}
