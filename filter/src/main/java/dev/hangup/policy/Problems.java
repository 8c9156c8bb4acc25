package dev.hangup.policy;

import java.util.ArrayList;
import java.util.List;

/** What has been found wrong so far: reading goes on, so that everything is said at once. One thread. */
final class Problems {

    private final List<PolicyProblem> all = new ArrayList<>();

    void add(PolicyProblem problem) {
        all.add(problem);
    }

    /** Notes that a source as a whole cannot be used. */
    void unusable(String source, String problem, String expected) {
        add(new PolicyProblem(source, 0, 0, "", null, problem, expected));
    }

    void throwIfAny() {
        if (!all.isEmpty()) {
            throw new PolicyException(all);
        }
    }
}
