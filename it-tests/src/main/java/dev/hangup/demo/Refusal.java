package dev.hangup.demo;

/** The demo cannot run as asked; the message is one line for its user. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Something that was asked for is wrong: a value, a port in use. */
    static final int ASKED_WRONG = 2;

    /** The demo failed on this machine. */
    static final int FAILED = 1;

    private final int exitCode;

    Refusal(int exitCode, String line) {
        super(line);
        this.exitCode = exitCode;
    }

    Refusal(int exitCode, String line, Throwable cause) {
        super(line, cause);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }

    String line() {
        return String.valueOf(getMessage());
    }
}
