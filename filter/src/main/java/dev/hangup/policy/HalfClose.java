package dev.hangup.policy;

/**
 * What a caller's half-close means: it has shut its sending side and may or may not still read. RFC 9112 section 9.6 says that
 * it is no sign of disinterest by itself; nearly all HTTP clients that do it have gone.
 */
public enum HalfClose {
    /** The caller has left, as Go, Kestrel, nginx and Envoy take it. The default. */
    GONE("gone"),

    /** The caller still waits; only a reset or a deadline ends the call. */
    TOLERATE("tolerate");

    private static final String EXPECTED = "one of gone, tolerate";

    private final String key;

    HalfClose(String key) {
        this.key = key;
    }

    /** The word for it in a policy file. */
    public String key() {
        return key;
    }

    static HalfClose parse(String text) {
        for (HalfClose halfClose : values()) {
            if (halfClose.key.equals(text)) {
                return halfClose;
            }
        }
        throw new MalformedValue(text, text.isEmpty() ? "no value" : "unknown half-close", EXPECTED);
    }
}
