package dev.hangup;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/** The response's stream, see {@link ContainerIo}. */
final class GuardedOutputStream extends ServletOutputStream {
    private final ContainerIo io;
    private final ServletOutputStream raw;
    private final BodyLength length;
    private final Ending ending;
    /** Written before the first write of the listener's, on whatever thread that is. */
    private volatile boolean listened;

    GuardedOutputStream(Ending ending, ServletOutputStream raw) {
        this.io = ending.io();
        this.raw = raw;
        this.length = ending.length();
        this.ending = ending;
    }

    @Override
    public void write(int b) throws IOException {
        io.write(() -> raw.write(b));
        length.wrote(1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        // A listener may write but once when it is told that it may.
        int piece = ending.isInPieces() && !listened ? Progress.PIECE : count;
        int done = 0;
        do {
            int from = offset + done;
            int now = Math.min(piece, count - done);
            io.write(() -> raw.write(bytes, from, now));
            length.wrote(now);
            done += now;
        } while (done < count);
    }

    @Override
    public void print(String text) throws IOException {
        io.write(() -> raw.print(text));
        length.wrote(text == null ? "null".length() : text.length()); // ISO-8859-1, or the container has thrown
    }

    @Override
    public void flush() throws IOException {
        io.write(raw::flush);
    }

    /** Nothing after a cancel: closing in a finally must not hide what the work has thrown. */
    @Override
    public void close() throws IOException {
        if (!io.isRefused()) {
            io.write(raw::close);
            ending.closed();
        }
    }

    /** True after a cancel: the write that follows says so. */
    @Override
    public boolean isReady() {
        return io.isReady(raw::isReady);
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        listened = true;
        raw.setWriteListener(new WriteListener() {
            @Override
            public void onWritePossible() throws IOException {
                io.listen(listener::onWritePossible);
            }

            @Override
            public void onError(Throwable failure) {
                try {
                    io.listen(listener::onError, failure);
                } finally {
                    ending.completeIfCancelled();
                }
            }
        });
    }
}
