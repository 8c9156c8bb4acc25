package dev.hangup;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.Reader;

/** The request's body, see {@link GuardedResponse#io}. */
final class GuardedInputStream extends ServletInputStream {
    private final GuardedResponse guard;
    private final ServletInputStream raw;

    GuardedInputStream(GuardedResponse guard, ServletInputStream raw) {
        this.guard = guard;
        this.raw = raw;
    }

    @Override
    public int read() throws IOException {
        int[] read = new int[1];
        guard.io(false, () -> read[0] = raw.read());
        return read[0];
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int[] read = new int[1];
        guard.io(false, () -> read[0] = raw.read(bytes, offset, length));
        return read[0];
    }

    @Override
    public int available() throws IOException {
        return guard.isRefused() ? 0 : raw.available();
    }

    @Override
    public void close() throws IOException {
        if (!guard.isRefused()) {
            guard.io(false, raw::close);
        }
    }

    @Override
    public boolean isFinished() {
        return raw.isFinished();
    }

    @Override
    public boolean isReady() {
        return raw.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
        raw.setReadListener(listener);
    }

    /** The same for the body as characters. */
    static final class Characters extends Reader {
        private final GuardedResponse guard;
        private final Reader raw;

        Characters(GuardedResponse guard, Reader raw) {
            this.guard = guard;
            this.raw = raw;
        }

        @Override
        public int read(char[] chars, int offset, int length) throws IOException {
            int[] read = new int[1];
            guard.io(false, () -> read[0] = raw.read(chars, offset, length));
            return read[0];
        }

        @Override
        public boolean ready() throws IOException {
            return !guard.isRefused() && raw.ready();
        }

        @Override
        public void close() throws IOException {
            if (!guard.isRefused()) {
                guard.io(false, raw::close);
            }
        }
    }
}
