package dev.hangup.tune;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What was found for the bytes of a line before, so that the next with the same is not made a text again. Of a fixed size: once it is
 * full it is emptied. Not for several threads.
 */
final class ByteCache<V> {

    private static final int SLOTS = 1 << 14;
    private static final int ARENA = 1 << 20;
    private static final int LONGEST = 512;

    private final byte[] arena = new byte[ARENA];
    private final int[] places = new int[SLOTS];
    private final int[] lengths = new int[SLOTS];
    private final int[] hashes = new int[SLOTS];
    private final @Nullable Object[] values = new @Nullable Object[SLOTS];
    private int used;
    private int filled;

    /** The value of these bytes, or null if they were not here before, or not for long. */
    @SuppressWarnings("unchecked")
    @Nullable
    V find(byte[] bytes, int from, int to) {
        int length = to - from;
        int hash = hash(bytes, from, to);
        for (int slot = slot(hash); lengths[slot] != 0; slot = (slot + 1) & (SLOTS - 1)) {
            if (hashes[slot] == hash
                    && lengths[slot] == length + 1
                    && Arrays.equals(arena, places[slot], places[slot] + length, bytes, from, to)) {
                return (V) values[slot];
            }
        }
        return null;
    }

    /** Keeps the value of bytes that were not found, and returns it. */
    V put(byte[] bytes, int from, int to, V value) {
        int length = to - from;
        if (length > LONGEST) {
            return value;
        }
        if (used + length > ARENA || filled > SLOTS / 2) {
            Arrays.fill(lengths, 0);
            used = 0;
            filled = 0;
        }
        int hash = hash(bytes, from, to);
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
        int hash = to - from;
        for (int i = from; i < to; i++) {
            hash = hash * 31 + bytes[i];
        }
        return hash;
    }
}
