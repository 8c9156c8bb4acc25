package dev.hangup.tune.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looking for bytes and reading numbers in a buffer. */
final class Bytes {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    /** Of microseconds; what is more would overflow. */
    private static final long MOST = Long.MAX_VALUE / 2;

    private Bytes() {}

    /** Where the next line end is, or {@code to}. */
    static int newline(byte[] bytes, int from, int to) {
        return find(bytes, (byte) '\n', from, to);
    }

    /** Where the byte is, or {@code to}. Eight bytes at a time: for what is not near. */
    static int find(byte[] bytes, byte wanted, int from, int to) {
        long pattern = (wanted & 0xff) * ONES;
        int i = from;
        for (; i + 8 <= to; i += 8) {
            long word = (long) LONGS.get(bytes, i) ^ pattern;
            long zeros = (word - ONES) & ~word & HIGHS;
            if (zeros != 0) {
                return i + (Long.numberOfTrailingZeros(zeros) >>> 3);
            }
        }
        return indexOf(bytes, (char) wanted, i, to);
    }

    /** Eight bytes as one number. */
    static long eight(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    /** Where the byte is, or {@code to}. */
    static int indexOf(byte[] bytes, char wanted, int from, int to) {
        int i = from;
        while (i < to && bytes[i] != wanted) {
            i++;
        }
        return i;
    }

    /** Where the byte is for the last time, or {@code from - 1}. */
    static int lastIndexOf(byte[] bytes, char wanted, int from, int to) {
        int i = to - 1;
        while (i >= from && bytes[i] != wanted) {
            i--;
        }
        return i;
    }

    static boolean startsWith(byte[] bytes, int from, int to, byte[] prefix) {
        if (to - from < prefix.length) {
            return false;
        }
        for (int i = 0; i < prefix.length; i++) {
            if (bytes[from + i] != prefix[i]) {
                return false;
            }
        }
        return true;
    }

    /** Digits and nothing else, at most 18 of them; -1 if that is not what is there. */
    static long number(byte[] bytes, int from, int to) {
        if (from >= to || to - from > 18) {
            return -1;
        }
        long number = 0;
        for (int i = from; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }

    /**
     * A number of a unit, with a fraction if that is allowed, as microseconds; rounded down; -1 if that is not what is there.
     *
     * @param unit microseconds in one
     */
    static long micros(byte[] bytes, int from, int to, long unit, boolean fraction) {
        int dot = fraction ? indexOf(bytes, '.', from, to) : to;
        long whole = number(bytes, from, dot);
        if (whole < 0 || whole > MOST / unit) {
            return -1;
        }
        long micros = whole * unit;
        if (dot == to) {
            return micros;
        }
        if (dot + 1 == to) {
            return -1;
        }
        long part = unit;
        for (int i = dot + 1; i < to; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            part /= 10;
            micros += part * digit;
        }
        return micros;
    }
}
