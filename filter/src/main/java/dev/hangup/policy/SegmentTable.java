package dev.hangup.policy;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A hash table that is asked with a part of a string, which a {@link java.util.HashMap} could answer only after a substring
 * had been allocated. Immutable.
 */
final class SegmentTable<V> {

    private final @Nullable Slot<V>[] slots;
    private final int longest;

    private record Slot<V>(String key, V value) {}

    private static final SegmentTable<?> EMPTY = new SegmentTable<>(Map.of());

    /** Most nodes of a tree have none of one kind or the other: they share an empty one. */
    @SuppressWarnings("unchecked")
    static <V> SegmentTable<V> of(Map<String, V> entries) {
        return entries.isEmpty() ? (SegmentTable<V>) EMPTY : new SegmentTable<>(entries);
    }

    private SegmentTable(Map<String, V> entries) {
        slots = slots(entries.size());
        int length = 0;
        for (Map.Entry<String, V> entry : entries.entrySet()) {
            String key = entry.getKey();
            length = Math.max(length, key.length());
            int index = spread(key.hashCode());
            while (slots[index & (slots.length - 1)] != null) {
                index++;
            }
            slots[index & (slots.length - 1)] = new Slot<>(key, entry.getValue());
        }
        longest = length;
    }

    /** The value under the characters {@code from} (inclusive) to {@code to} (exclusive) of the text, or null. */
    @Nullable
    V get(String text, int from, int to) {
        int length = to - from;
        // A caller may send thousands of characters: they are not even hashed where no key is as long.
        if (length > longest) {
            return null;
        }
        int hash = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + text.charAt(i);
        }
        for (int index = spread(hash); ; index++) {
            Slot<V> slot = slots[index & (slots.length - 1)];
            if (slot == null) {
                return null;
            }
            if (slot.key().length() == length && text.startsWith(slot.key(), from)) {
                return slot.value();
            }
        }
    }

    /** At least one slot in two stays free, so that a search that finds nothing ends soon. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <V> @Nullable Slot<V>[] slots(int entries) {
        return new Slot[Integer.highestOneBit(Math.max(1, entries)) * 4];
    }

    private static int spread(int hash) {
        return hash ^ (hash >>> 16);
    }
}
