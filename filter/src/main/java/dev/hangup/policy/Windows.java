package dev.hangup.policy;

import java.util.List;
import java.util.function.IntSupplier;

/**
 * The named windows of a policy, and which of them is in force now. A window is a number here, so that a rule finds its
 * deadline with an array access at each call; {@link #NORMAL} is the time outside all others and, in this version, all time.
 */
final class Windows {

    static final int NORMAL = 0;
    static final String NORMAL_NAME = "normal";
    static final Windows NONE = new Windows(List.of(NORMAL_NAME), () -> NORMAL);

    private final List<String> names;
    private final IntSupplier current;

    /**
     * Windows by name, the first being {@link #NORMAL}.
     *
     * @param current the number of the one in force at the moment of asking
     */
    Windows(List<String> names, IntSupplier current) {
        this.names = List.copyOf(names);
        this.current = current;
    }

    /** Their names, by number. */
    List<String> names() {
        return names;
    }

    /** The one in force at this moment. Never kept: the next call may come after a boundary. */
    int current() {
        return current.getAsInt();
    }
}
