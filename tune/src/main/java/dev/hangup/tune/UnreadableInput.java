package dev.hangup.tune;

/** Input that cannot be read or is not what it was said to be; the message names the file and, where there is one, the line. */
public final class UnreadableInput extends RuntimeException {

    /** @param problem the whole message, for a person */
    public UnreadableInput(String problem) {
        super(problem);
    }

    /** @param problem the whole message, for a person */
    public UnreadableInput(String problem, Throwable cause) {
        super(problem, cause);
    }
}
