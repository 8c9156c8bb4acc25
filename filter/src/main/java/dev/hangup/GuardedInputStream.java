package dev.hangup;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** The request's body, see {@link ContainerIo}. */
final class GuardedInputStream extends ServletInputStream {
    private final ContainerIo io;
    private final ServletInputStream raw;

    GuardedInputStream(ContainerIo io, ServletInputStream raw) {
        this.io = io;
        this.raw = raw;
    }

    @Override
    public int read() throws IOException {
        int[] read = new int[1];
        io.read(() -> read[0] = raw.read());
        return read[0];
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int[] read = new int[1];
        io.read(() -> read[0] = raw.read(bytes, offset, length));
        return read[0];
    }

    @Override
    public int available() throws IOException {
        int[] available = new int[1];
        io.read(() -> available[0] = raw.available());
        return available[0];
    }

    @Override
    public void close() throws IOException {
        if (!io.isRefused()) {
            io.read(raw::close);
        }
    }

    @Override
    public boolean isFinished() {
        return io.ask(false, raw::isFinished);
    }

    /** True after a cancel: the read that follows says so. */
    @Override
    public boolean isReady() {
        return io.ask(true, raw::isReady);
    }

    @Override
    public void setReadListener(ReadListener listener) {
        raw.setReadListener(new Listening(listener));
    }

    private final class Listening implements ReadListener {
        private final ReadListener listener;
        /** The application's own, which the container hands back to it; says nothing of the caller. On the container's threads, one at a time. */
        private @Nullable Throwable thrown;

        Listening(ReadListener listener) {
            this.listener = listener;
        }

        @Override
        public void onDataAvailable() throws IOException {
            listen(listener::onDataAvailable);
        }

        @Override
        public void onAllDataRead() throws IOException {
            listen(listener::onAllDataRead);
        }

        private void listen(ContainerIo.Io work) throws IOException {
            try {
                io.listen(work);
            } catch (IOException | RuntimeException | Error e) {
                thrown = e;
                throw e;
            }
        }

        @Override
        public void onError(Throwable failure) {
            if (thrown == null) {
                io.readFailed(failure);
            }
            io.listen(listener::onError, failure);
        }
    }

    /** The same for the body as characters. */
    static final class Characters extends Reader {
        private final ContainerIo io;
        private final Reader raw;

        Characters(ContainerIo io, Reader raw) {
            this.io = io;
            this.raw = raw;
        }

        @Override
        public int read(char[] chars, int offset, int length) throws IOException {
            int[] read = new int[1];
            io.read(() -> read[0] = raw.read(chars, offset, length));
            return read[0];
        }

        @Override
        public boolean ready() throws IOException {
            boolean[] ready = new boolean[1];
            io.read(() -> ready[0] = raw.ready());
            return ready[0];
        }

        @Override
        public void close() throws IOException {
            if (!io.isRefused()) {
                io.read(raw::close);
            }
        }
    }
}
