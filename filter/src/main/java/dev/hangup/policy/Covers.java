package dev.hangup.policy;

/** What a deadline is for. */
public enum Covers {
    /** The whole answer. */
    RESPONSE("response"),
    /**
     * Its first byte: once that has been sent the answer is left alone as long as it moves, that is, as long as something of it is
     * taken within each further stretch of the deadline's length. Seen where the endpoint cancels.
     */
    FIRST_BYTE("first-byte");

    private final String key;

    Covers(String key) {
        this.key = key;
    }

    static Covers parse(String text) {
        for (Covers covers : values()) {
            if (covers.key.equals(text)) {
                return covers;
            }
        }
        throw new MalformedValue(text, text.isEmpty() ? "no value" : "unknown value", "one of response, first-byte");
    }
}
