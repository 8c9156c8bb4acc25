package dev.hangup;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/** The response's writer, see {@link ContainerIo}. A refused write sets the error flag, as PrintWriter does. */
final class GuardedWriter extends PrintWriter {
    private final PrintWriter raw;

    GuardedWriter(ContainerIo io, PrintWriter raw, Runnable closed) {
        super(new Guarded(io, raw, closed));
        this.raw = raw;
    }

    @Override
    public boolean checkError() {
        return super.checkError() || raw.checkError();
    }

    private static final class Guarded extends Writer {
        private final ContainerIo io;
        private final PrintWriter raw;
        private final Runnable closed;

        Guarded(ContainerIo io, PrintWriter raw, Runnable closed) {
            this.io = io;
            this.raw = raw;
            this.closed = closed;
        }

        @Override
        public void write(char[] chars, int offset, int length) throws IOException {
            io.write(() -> raw.write(chars, offset, length));
        }

        @Override
        public void write(String text, int offset, int length) throws IOException {
            io.write(() -> raw.write(text, offset, length));
        }

        @Override
        public void flush() throws IOException {
            io.write(raw::flush);
        }

        @Override
        public void close() throws IOException {
            if (!io.isRefused()) {
                io.write(raw::close);
                closed.run();
            }
        }
    }
}
