package dev.hangup.policy;

/** What is done about a departure or a passed deadline. */
public enum Mode {
    /** It is counted and nothing else happens: no status, no interrupt, no rollback. The default. */
    OBSERVE("observe"),

    /**
     * The work is cancelled. As the mode of a whole policy this covers only GET and HEAD on endpoints without an entry:
     * a payment must not be rolled back because a browser tab was closed.
     */
    CANCEL("cancel"),

    /** Hangup keeps its hands off: no deadline, no watching, no counting. */
    OFF("off");

    private static final String EXPECTED = "one of observe, cancel, off";

    private final String key;

    Mode(String key) {
        this.key = key;
    }

    /** The word for it in a policy file. */
    public String key() {
        return key;
    }

    static Mode parse(String text) {
        for (Mode mode : values()) {
            if (mode.key.equals(text)) {
                return mode;
            }
        }
        throw new MalformedValue(text, text.isEmpty() ? "no value" : "unknown mode", EXPECTED);
    }
}
