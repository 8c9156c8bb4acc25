package dev.hangup.policy;

/**
 * The named windows of a policy, and which of them is in force now. A window is a number here, so that a rule finds its
 * deadline with an array access at each call; {@link #NORMAL} is the time outside all others and, in this version, all time.
 */
final class Windows {

    static final int NORMAL = 0;
    static final String NORMAL_NAME = "normal";
    static final Windows NONE = new Windows();

    private Windows() {}

    /** How many there are, {@link #NORMAL} included. */
    int count() {
        return 1;
    }

    /** The one in force at this moment. Never kept: the next call may come after a boundary. */
    int current() {
        return NORMAL;
    }

    String name(int window) {
        if (window != NORMAL) {
            throw new IndexOutOfBoundsException(window);
        }
        return NORMAL_NAME;
    }
}
