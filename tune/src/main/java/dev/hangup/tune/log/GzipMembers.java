package dev.hangup.tune.log;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The members of a gzip file, decompressed. What follows a member and does not begin another is the end to the JDK's stream, so that
 * all behind a damaged head would be missing without a word. Here it is an error, but for the zeros that fill up a block. Not for
 * several threads.
 */
final class GzipMembers extends GZIPInputStream {

    private static final int TRAILER = 8;
    private static final int BLOCK = 1 << 12;
    private static final int MAGIC = 0x1f;

    private boolean looked;

    GzipMembers(InputStream in, int buffer) throws IOException {
        super(in, buffer);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int count = super.read(into, offset, length);
        if (count < 0 && !looked) {
            looked = true;
            look();
        }
        return count;
    }

    private void look() throws IOException {
        look(buf, Math.max(0, len - inf.getRemaining() + TRAILER), len);
        byte[] block = new byte[BLOCK];
        for (int count = in.read(block); count > 0; count = in.read(block)) {
            look(block, 0, count);
        }
    }

    private static void look(byte[] bytes, int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            if (bytes[i] == MAGIC && i == from) {
                throw new EOFException("a member without its end");
            }
            if (bytes[i] != 0) {
                throw new ZipException("what follows a member is none");
            }
        }
    }
}
