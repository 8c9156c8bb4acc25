package dev.hangup.tune.prometheus;

/** The server, or what is needed to ask it, is not there or not as expected; the message says which and what. */
public final class Unavailable extends RuntimeException {

    Unavailable(String problem) {
        super(problem);
    }

    Unavailable(String problem, Throwable cause) {
        super(problem, cause);
    }
}
