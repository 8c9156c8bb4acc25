package dev.hangup.policy;

import java.util.List;

/**
 * A policy is refused. All that is wrong with it is said at once, one line each, so that it is mended in one go; nothing
 * of a refused policy comes into force.
 */
public final class PolicyException extends IllegalArgumentException {

    private static final int MOST_LISTED = 50;

    // Transient because an exception must be serialisable and its details need not travel: the message has them.
    private final transient List<PolicyProblem> errors;

    PolicyException(List<PolicyProblem> errors) {
        super(message(errors));
        this.errors = List.copyOf(errors);
    }

    /** Everything that is wrong, in the order of the sources and of their lines; at least one, never changed. */
    public List<PolicyProblem> errors() {
        return errors;
    }

    private static String message(List<PolicyProblem> errors) {
        StringBuilder text = new StringBuilder("The policy is refused, ")
                .append(errors.size())
                .append(errors.size() == 1 ? " error:" : " errors:");
        for (PolicyProblem error : errors.subList(0, Math.min(errors.size(), MOST_LISTED))) {
            text.append('\n').append(error);
        }
        if (errors.size() > MOST_LISTED) {
            text.append("\nand ").append(errors.size() - MOST_LISTED).append(" more");
        }
        return text.toString();
    }
}
