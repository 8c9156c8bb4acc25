package dev.hangup;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.CharBuffer;

/** The response's writer, see {@link ContainerIo}. A refused write sets the error flag, as PrintWriter does. */
final class GuardedWriter extends PrintWriter {
    private final PrintWriter raw;

    GuardedWriter(Ending ending, PrintWriter raw, String encoding) {
        super(new Guarded(ending, raw, encoding));
        this.raw = raw;
    }

    @Override
    public boolean checkError() {
        return super.checkError() || raw.checkError();
    }

    private static final class Guarded extends Writer {
        private final ContainerIo io;
        private final PrintWriter raw;
        private final BodyLength body;
        private final String encoding;
        private final Ending ending;

        Guarded(Ending ending, PrintWriter raw, String encoding) {
            this.io = ending.io();
            this.raw = raw;
            this.body = ending.length();
            this.encoding = encoding;
            this.ending = ending;
        }

        @Override
        public void write(char[] chars, int offset, int length) throws IOException {
            int piece = ending.isInPieces() ? Progress.PIECE : length;
            for (int done = 0; done < length; done += piece) {
                int from = offset + done;
                int now = Math.min(piece, length - done);
                io.write(() -> raw.write(chars, from, now));
                body.wrote(CharBuffer.wrap(chars, from, now), encoding);
            }
        }

        @Override
        public void write(String text, int offset, int length) throws IOException {
            int piece = ending.isInPieces() ? Progress.PIECE : length;
            for (int done = 0; done < length; done += piece) {
                int from = offset + done;
                int now = Math.min(piece, length - done);
                io.write(() -> raw.write(text, from, now));
                body.wrote(CharBuffer.wrap(text, from, from + now), encoding);
            }
        }

        @Override
        public void flush() throws IOException {
            io.write(() -> {
                raw.flush();
                if (raw.checkError()) {
                    throw new IOException("the container's writer has failed"); // it keeps the reason to itself
                }
            });
        }

        @Override
        public void close() throws IOException {
            if (!io.isRefused()) {
                io.write(raw::close);
                ending.closed();
            }
        }
    }
}
