package dev.hangup.policy;

/**
 * A text that is not what its key wants. It does not know where the text stood: the reader that does turns it into a
 * {@link PolicyProblem}.
 */
final class MalformedValue extends IllegalArgumentException {

    private final String problem;
    private final String expected;

    MalformedValue(String value, String problem, String expected) {
        super("\"" + PolicyProblem.printable(value) + "\": " + problem + "; expected " + expected);
        this.problem = problem;
        this.expected = expected;
    }

    String problem() {
        return problem;
    }

    String expected() {
        return expected;
    }
}
