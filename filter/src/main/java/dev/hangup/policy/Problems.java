package dev.hangup.policy;

import java.util.ArrayList;
import java.util.List;

/** What has been found wrong so far: reading goes on, so that everything is said at once. One thread. */
final class Problems {

    /** More than anybody reads: a big file of another kind is wrong in every line. */
    static final int MOST = 1_000;

    private final List<PolicyProblem> all = new ArrayList<>();

    /** @throws PolicyException if there are enough of them by now */
    void add(PolicyProblem problem) {
        all.add(problem);
        if (all.size() == MOST) {
            unusable(problem.source(), "so many errors that no others were looked for", "a policy");
            throwIfAny();
        }
    }

    /** Notes that a source as a whole cannot be used. */
    void unusable(String source, String problem, String expected) {
        all.add(new PolicyProblem(source, 0, 0, "", null, problem, expected));
    }

    void throwIfAny() {
        if (!all.isEmpty()) {
            throw new PolicyException(all);
        }
    }
}
