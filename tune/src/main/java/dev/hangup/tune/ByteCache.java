package dev.hangup.tune;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What was found for the bytes of a line before, so that the next with the same is not made a text again. Of a fixed size: once it is
 * full it is emptied, and where most bytes are new it is left alone for a while. Not for several threads.
 */
final class ByteCache<V> {

    private static final int SLOTS = 1 << 14;
    private static final int ARENA = 1 << 20;
    private static final int LONGEST = 512;
    private static final long MIX = 0x9E3779B97F4A7C15L;
    /** After so many questions it is seen whether keeping answers pays. */
    private static final int TRIAL = 1 << 12;
    /** Where it does not, it is not tried again for so many. */
    private static final int REST = 1 << 16;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] arena = new byte[ARENA];
    private final int[] places = new int[SLOTS];
    private final int[] lengths = new int[SLOTS];
    private final int[] hashes = new int[SLOTS];
    private final @Nullable Object[] values = new @Nullable Object[SLOTS];
    private int used;
    private int filled;
    private int lastHash;
    private int asked;
    private int found;
    private int resting;

    /** The value of these bytes, or null if they were not here before, or not for long. */
    @SuppressWarnings("unchecked")
    @Nullable
    V find(byte[] bytes, int from, int to) {
        if (resting > 0) {
            resting--;
            return null;
        }
        int length = to - from;
        int hash = hash(bytes, from, to);
        lastHash = hash;
        if (++asked == TRIAL) {
            resting = found * 2 < TRIAL ? REST : 0;
            asked = 0;
            found = 0;
        }
        for (int slot = slot(hash); lengths[slot] != 0; slot = (slot + 1) & (SLOTS - 1)) {
            if (hashes[slot] == hash
                    && lengths[slot] == length + 1
                    && Arrays.equals(arena, places[slot], places[slot] + length, bytes, from, to)) {
                found++;
                return (V) values[slot];
            }
        }
        return null;
    }

    /** Keeps the value of the bytes that were looked for last and not found, and returns it. */
    V put(byte[] bytes, int from, int to, V value) {
        int length = to - from;
        if (length > LONGEST || resting > 0) {
            return value;
        }
        if (used + length > ARENA || filled > SLOTS / 2) {
            Arrays.fill(lengths, 0);
            used = 0;
            filled = 0;
        }
        int hash = lastHash;
        int slot = slot(hash);
        while (lengths[slot] != 0) {
            slot = (slot + 1) & (SLOTS - 1);
        }
        System.arraycopy(bytes, from, arena, used, length);
        places[slot] = used;
        lengths[slot] = length + 1;
        hashes[slot] = hash;
        values[slot] = value;
        used += length;
        filled++;
        return value;
    }

    private static int slot(int hash) {
        return (hash ^ (hash >>> 15)) & (SLOTS - 1);
    }

    private static int hash(byte[] bytes, int from, int to) {
        long hash = (long) to - from;
        int i = from;
        for (; i + 8 <= to; i += 8) {
            hash = (hash ^ (long) LONGS.get(bytes, i)) * MIX;
            hash ^= hash >>> 32;
        }
        for (; i < to; i++) {
            hash = (hash ^ bytes[i]) * MIX;
        }
        return (int) (hash ^ (hash >>> 32));
    }
}
