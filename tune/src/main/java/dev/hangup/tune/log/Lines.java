package dev.hangup.tune.log;

import java.io.IOException;
import java.io.InputStream;

/** Cuts a stream of bytes into lines and hands them on, in one buffer of a fixed size. */
public final class Lines {

    /** A longer one is no log's. */
    static final int LONGEST = 1 << 16;

    private static final int BUFFER = 1 << 19;

    /** What is done with a line. */
    public interface Taker {

        /** A line without its line end, not empty; the bytes are only good during the call. */
        void take(byte[] bytes, int from, int to);

        /** A line that is too long to look at, or, where nothing ended it, the last of a file that is being written. */
        void refuse(byte[] bytes, int from, int to);

        /** The last line, which nothing ended. */
        void takeUnended(byte[] bytes, int from, int to);

        /** Some more bytes have been read. */
        void progress(long bytes);
    }

    private final Taker taker;
    private final byte[] buffer = new byte[BUFFER];
    private long number;

    /** Lines of one taker, which may come of several inputs. */
    public Lines(Taker taker) {
        this.taker = taker;
    }

    /** The number of the line that is being read in its input, from 1. */
    public long number() {
        return Math.max(number, 1);
    }

    void begin() {
        number = 0;
    }

    void readAll(InputStream in) throws IOException {
        int from = 0;
        int to = 0;
        boolean first = true;
        boolean skipping = false;
        while (true) {
            int count = in.read(buffer, to, buffer.length - to);
            if (count < 0) {
                break;
            }
            taker.progress(count);
            int searched = to;
            to += count;
            if (first) {
                if (to < 3) {
                    // Too little to tell whether a mark begins the file.
                    continue;
                }
                from = hasMark() ? 3 : 0;
                searched = from;
                first = false;
            }
            for (int end = Bytes.newline(buffer, searched, to); end < to; end = Bytes.newline(buffer, from, to)) {
                number++;
                if (skipping || end - from > LONGEST) {
                    skipping = false;
                    taker.refuse(buffer, from, Math.min(end, from + LONGEST));
                } else {
                    line(from, end);
                }
                from = end + 1;
            }
            if (to - from > LONGEST) {
                // Keep the beginning, to show it when the line ends.
                skipping = true;
                to = from + LONGEST;
            }
            System.arraycopy(buffer, from, buffer, 0, to - from);
            to -= from;
            from = 0;
        }
        if (to > from) {
            number++;
            if (skipping) {
                taker.refuse(buffer, from, to);
            } else {
                taker.takeUnended(buffer, from, withoutReturn(from, to));
            }
        }
    }

    private void line(int from, int end) {
        int to = withoutReturn(from, end);
        if (to > from) {
            taker.take(buffer, from, to);
        }
    }

    private int withoutReturn(int from, int end) {
        return end > from && buffer[end - 1] == '\r' ? end - 1 : end;
    }

    private boolean hasMark() {
        return buffer[0] == (byte) 0xef && buffer[1] == (byte) 0xbb && buffer[2] == (byte) 0xbf;
    }
}
