package dev.hangup;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/** The response's writer, see {@link GuardedResponse}. A refused write sets the error flag, as PrintWriter does. */
final class GuardedWriter extends PrintWriter {
    private final PrintWriter raw;

    GuardedWriter(GuardedResponse guard, PrintWriter raw) {
        super(new Guarded(guard, raw));
        this.raw = raw;
    }

    @Override
    public boolean checkError() {
        return super.checkError() || raw.checkError();
    }

    private static final class Guarded extends Writer {
        private final GuardedResponse guard;
        private final PrintWriter raw;

        Guarded(GuardedResponse guard, PrintWriter raw) {
            this.guard = guard;
            this.raw = raw;
        }

        @Override
        public void write(char[] chars, int offset, int length) throws IOException {
            guard.io(true, () -> raw.write(chars, offset, length));
        }

        @Override
        public void write(String text, int offset, int length) throws IOException {
            guard.io(true, () -> raw.write(text, offset, length));
        }

        @Override
        public void flush() throws IOException {
            guard.io(true, raw::flush);
        }

        @Override
        public void close() throws IOException {
            if (!guard.isRefused()) {
                guard.io(true, raw::close);
                guard.closed();
            }
        }
    }
}
