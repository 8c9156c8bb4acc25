package dev.hangup.policy;

/** Names of endpoints for a line of the log: the first 20, and how many more there are. Not for use by several threads at once. */
public final class NameList {

    private static final int MOST = 20;

    private final StringBuilder text = new StringBuilder();
    private int size;

    /** An empty one. */
    public NameList() {}

    /** One with these names, in their order. */
    public static NameList of(Iterable<String> names) {
        NameList list = new NameList();
        names.forEach(list::add);
        return list;
    }

    /** Adds a name after the others. */
    public void add(String name) {
        if (size < MOST) {
            text.append(size == 0 ? "" : ", ").append(name);
        }
        size++;
    }

    /** Whether it has no name. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Reads as {@code GET /a, GET /b and 3 more}. */
    @Override
    public String toString() {
        return size > MOST ? text + " and " + (size - MOST) + " more" : text.toString();
    }
}
