package dev.hangup.tune.log;

/** Takes lines apart. Keeps what it has seen of a file; not for several threads. */
public interface LineFormat {

    /** What became of a line. */
    enum Result {
        PARSED,
        /** It is not of this format. */
        UNPARSED,
        /** It is, but has a hyphen where its duration should be. */
        NO_DURATION,
        /** It is no call: a comment. */
        COMMENT
    }

    /** Another file begins. */
    default void begin() {}

    /** Whether there is a place in the lines for the host that was called. */
    boolean hasHost();

    /** Takes a line apart; it is without its line end, and not empty. */
    Result parse(byte[] bytes, int from, int to, LogLine line);
}
