package dev.hangup.tune.log;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream on a thread of its own, a few blocks ahead of the reader: decompressing takes as long as taking lines apart, and
 * the two need not wait for each other. Closing it ends the thread.
 */
final class ReadAhead extends InputStream {

    private static final int BLOCK = 1 << 18;
    private static final int BLOCKS = 4;
    private static final long PATIENCE_MILLIS = 1_000;

    /** Bytes, or why there are no more: an empty block without a failure is the end. */
    private static final class Block {

        private final byte[] bytes;
        private final int length;
        private final @Nullable IOException failure;

        private Block(byte[] bytes, int length, @Nullable IOException failure) {
            this.bytes = bytes;
            this.length = length;
            this.failure = failure;
        }
    }

    private final BlockingQueue<Block> full = new ArrayBlockingQueue<>(BLOCKS + 1);
    private final BlockingQueue<byte[]> free = new ArrayBlockingQueue<>(BLOCKS);
    private final Thread reader;
    /** The reader's own. */
    private Block current = new Block(new byte[0], 0, null);

    private int at;
    private boolean over;

    private ReadAhead(InputStream in) {
        for (int i = 0; i < BLOCKS; i++) {
            free.add(new byte[BLOCK]);
        }
        reader = new Thread(() -> readAll(in), "hangup-tune-decompressor");
        reader.setDaemon(true);
    }

    static ReadAhead of(InputStream in) {
        ReadAhead ahead = new ReadAhead(in);
        ahead.reader.start();
        return ahead;
    }

    private void readAll(InputStream in) {
        try {
            while (true) {
                byte[] block = free.take();
                int length = 0;
                IOException failure = null;
                try {
                    length = in.readNBytes(block, 0, BLOCK);
                } catch (IOException failed) {
                    failure = failed;
                } catch (RuntimeException closed) {
                    failure = new IOException(closed);
                }
                full.put(new Block(block, length, failure));
                if (length == 0) {
                    return;
                }
            }
        } catch (InterruptedException closed) {
            // Nobody reads any more.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        while (at == current.length && !over) {
            next();
        }
        if (over) {
            return -1;
        }
        int count = Math.min(length, current.length - at);
        System.arraycopy(current.bytes, at, into, offset, count);
        at += count;
        return count;
    }

    private void next() throws IOException {
        try {
            if (current.bytes.length > 0) {
                free.put(current.bytes);
            }
            current = full.take();
            at = 0;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
        if (current.failure != null) {
            throw current.failure;
        }
        over = current.length == 0;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public void close() throws IOException {
        reader.interrupt();
        try {
            // What it reads is closed by whoever opened it. A read that waits for a pipe is not waited for.
            reader.join(PATIENCE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }
}
