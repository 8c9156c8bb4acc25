package dev.hangup.policy;

import java.util.Locale;

/** What becomes of a server's deadline and its caller's timeout together, when the work takes longer than either. */
public enum Verdict {
    /** The caller gives up first: from then on the server works for nobody. */
    WORKS_FOR_NOBODY,
    /** The server's deadline passes first: the caller waits for an answer that is already lost. */
    WAITS_FOR_KILLED,
    /** The two are equal, or nearly: neither, and no headroom for the network. */
    NO_HEADROOM,
    /** The caller gives up first, and the server notices and stops. */
    STABLE,
    /** No answer comes within the caller's timeout, ever: raise that, or answer asynchronously. */
    UNREACHABLE,
    /** How long callers wait is not known. */
    UNKNOWN;

    /** As it is written in JSON and in the log: {@code works_for_nobody}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What to do about it, in a line. */
    public String advice() {
        return switch (this) {
            case WORKS_FOR_NOBODY ->
                "the server works for nobody once its caller has left: cancel, lower the server's deadline, or raise the client's timeout";
            case WAITS_FOR_KILLED ->
                "the caller waits on for an answer that the server has given up: lower the client's timeout, or raise the server's deadline";
            case NO_HEADROOM ->
                "the two are equal, which leaves no time for the network: give the client more time than the server";
            case STABLE -> "the caller leaves first, and the work is cancelled";
            case UNREACHABLE ->
                "no caller can get this answer at all: raise the client's timeout, or answer asynchronously";
            case UNKNOWN -> "no caller has declared or shown how long it waits";
        };
    }
}
