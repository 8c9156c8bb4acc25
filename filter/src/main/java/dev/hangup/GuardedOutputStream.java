package dev.hangup;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/** The response's stream, see {@link GuardedResponse}. */
final class GuardedOutputStream extends ServletOutputStream {
    private final GuardedResponse guard;
    private final ServletOutputStream raw;

    GuardedOutputStream(GuardedResponse guard, ServletOutputStream raw) {
        this.guard = guard;
        this.raw = raw;
    }

    @Override
    public void write(int b) throws IOException {
        guard.io(true, () -> raw.write(b));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        guard.io(true, () -> raw.write(bytes, offset, length));
    }

    @Override
    public void print(String text) throws IOException {
        guard.io(true, () -> raw.print(text));
    }

    @Override
    public void flush() throws IOException {
        guard.io(true, raw::flush);
    }

    /** Nothing after a cancel: closing in a finally must not hide what the work has thrown. */
    @Override
    public void close() throws IOException {
        if (!guard.isRefused()) {
            guard.io(true, raw::close);
            guard.closed();
        }
    }

    @Override
    public boolean isReady() {
        return raw.isReady();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        raw.setWriteListener(listener);
    }
}
