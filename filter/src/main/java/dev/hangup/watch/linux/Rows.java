package dev.hangup.watch.linux;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;

/**
 * The rows of {@code /proc/net/tcp} or {@code tcp6}, one after the other, without an object for any: the fields say what the row
 * at hand has. For one thread.
 *
 * <pre>
 *   sl  local_address rem_address   st tx_queue rx_queue ...
 *    0: 0100007F:1F90 0100007F:C350 08 00000000:00000000 ...
 * </pre>
 *
 * <p>An address is printed as 32-bit words, each as this machine has it in memory; a port as a number.
 */
final class Rows implements Closeable {
    private static final boolean SWAPPED = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int END = -1;

    private final InputStream in;
    private final byte[] buffer = new byte[8192];
    private int at;
    private int end;

    /** Of the row at hand. An address is 16 bytes in network order, as two numbers; one of IPv4 is mapped into IPv6. */
    long localHigh;

    long localLow;
    int localPort;
    long remoteHigh;
    long remoteLow;
    int remotePort;
    int state;

    private long high;
    private long low;

    /** The heading is skipped. */
    Rows(InputStream in) throws IOException {
        this.in = in;
        skipPast('\n');
    }

    /** False after the last row. */
    boolean next() throws IOException {
        if (!skipPast(':')) {
            return false;
        }
        skipPast(' ');
        address();
        localHigh = high;
        localLow = low;
        localPort = (int) number();
        address();
        remoteHigh = high;
        remoteLow = low;
        remotePort = (int) number();
        state = (int) number();
        return skipPast('\n');
    }

    private void address() throws IOException {
        high = 0;
        low = 0;
        int words = 0;
        int digits = 0;
        long word = 0;
        for (int digit = Character.digit(read(), 16); digit >= 0; digit = Character.digit(read(), 16)) {
            word = word << 4 | digit;
            if (++digits % 8 == 0) {
                high = high << 32 | low >>> 32;
                low = low << 32 | network((int) word);
                word = 0;
                words++;
            }
        }
        if (words == 1) {
            low |= 0xFFFFL << 32; // RFC 4291 section 2.5.5.2
        }
    }

    private static long network(int word) {
        return Integer.toUnsignedLong(SWAPPED ? Integer.reverseBytes(word) : word);
    }

    /** Hexadecimal, up to whatever follows it. */
    private long number() throws IOException {
        long number = 0;
        for (int digit = Character.digit(read(), 16); digit >= 0; digit = Character.digit(read(), 16)) {
            number = number << 4 | digit;
        }
        return number;
    }

    private boolean skipPast(char wanted) throws IOException {
        for (int c = read(); c != END; c = read()) {
            if (c == wanted) {
                return true;
            }
        }
        return false;
    }

    private int read() throws IOException {
        if (at == end) {
            end = Math.max(0, in.read(buffer));
            at = 0;
            if (end == 0) {
                return END;
            }
        }
        return buffer[at++];
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
