package dev.hangup.tune.apply;

import java.time.Duration;
import java.util.Locale;

/**
 * Decides what of an advice comes into force. Waiting longer than needed costs little and waiting too short fails requests, so a
 * value goes up on the word of the samples, and down only if they have shown over several runs, and with something to spare, that
 * the lower value suffices.
 *
 * @param leastRuns how many runs a lower value must have been seen in
 * @param margin by how much the rate at the lower value must exceed what is asked for
 */
public record Caution(int leastRuns, double margin) {

    private static final double ROUNDING = 1e-9;
    /** What is asked for where the advice does not say: more in named windows, which somebody took the trouble to name. */
    private static final double GOAL = 0.99;

    private static final double WINDOW_GOAL = 0.995;

    /** Decides, against the value that is in force now. */
    public Ruling decide(Advice advice, Duration current) {
        Duration recommended = advice.recommended();
        if (recommended == null) {
            String issue = advice.issue().isEmpty() ? "no value is recommended" : advice.issue();
            return keep(advice, current, issue + " (" + advice.samples() + " samples)");
        }
        int order = recommended.compareTo(current);
        if (order == 0) {
            String reason =
                    current.equals(advice.why().current()) ? advice.why().reason() : "";
            return keep(advice, current, (reason.isEmpty() ? "is what is recommended" : reason) + note(advice));
        }
        if (order > 0) {
            return upwards(advice, recommended, current);
        }
        String objection = objection(advice);
        return objection.isEmpty()
                ? new Ruling(advice, current, recommended, Ruling.Course.LOWER, shown(advice))
                : keep(advice, current, WrittenValue.of(recommended) + " would be lower: " + objection);
    }

    private static Ruling upwards(Advice advice, Duration recommended, Duration current) {
        Advice.Why why = advice.why();
        boolean judged = current.equals(why.current());
        if (advice.keeps()) {
            return keep(
                    advice,
                    current,
                    judged && !why.reason().isEmpty()
                            ? WrittenValue.of(recommended) + " would be higher: " + why.reason()
                            : "the recommendation keeps what was in force" + note(advice));
        }
        if (!judged && why.suffices() != null && current.compareTo(why.suffices()) >= 0) {
            return keep(
                    advice,
                    current,
                    WrittenValue.of(recommended) + " would be higher: the target is met from "
                            + WrittenValue.of(why.suffices()) + " on");
        }
        String reason = judged ? why.reason() : why.basis();
        return new Ruling(
                advice,
                current,
                recommended,
                Ruling.Course.RAISE,
                (reason.isEmpty() ? "is what is recommended" : reason) + note(advice));
    }

    /** Why a lower value is not to be trusted; empty if it is. */
    private String objection(Advice advice) {
        double asked = asked(advice);
        if (Double.isNaN(advice.rate())) {
            return "no success rate is given for it";
        }
        if (!advice.meets(asked) || !advice.issue().isEmpty()) {
            return String.format(
                    Locale.ROOT, "%s of %s is asked for%s", rate(advice.rate()), rate(asked), note(advice));
        }
        if (advice.runs().count() < leastRuns) {
            int runs = advice.runs().count();
            return runs + (runs == 1 ? " run" : " runs") + " with enough samples, and lowering takes " + leastRuns;
        }
        if (2 * advice.runs().meeting() <= advice.runs().count()) {
            return advice.runs().meeting() + " of " + advice.runs().count()
                    + (advice.runs().count() == 1 ? " run meets" : " runs meet") + " the target";
        }
        if (asked + margin > 1 + ROUNDING) {
            return "no rate exceeds " + rate(asked) + " by the margin of " + margin + "; a smaller margin is needed";
        }
        if (advice.rate() < asked + margin - ROUNDING) {
            return rate(advice.rate()) + " does not exceed " + rate(asked) + " by the margin of " + margin;
        }
        return "";
    }

    private static double asked(Advice advice) {
        if (!Double.isNaN(advice.goal())) {
            return advice.goal();
        }
        return advice.window().equals(PolicySheet.NORMAL) ? GOAL : WINDOW_GOAL;
    }

    private static String shown(Advice advice) {
        return rate(advice.rate()) + " of " + rate(asked(advice)) + " asked for, met in "
                + advice.runs().meeting() + " of " + advice.runs().count()
                + (advice.runs().count() == 1 ? " run" : " runs");
    }

    private static Ruling keep(Advice advice, Duration current, String reason) {
        return new Ruling(advice, current, current, Ruling.Course.KEEP, reason);
    }

    private static String note(Advice advice) {
        return advice.issue().isEmpty() ? "" : " (" + advice.issue() + ")";
    }

    private static String rate(double rate) {
        return String.format(Locale.ROOT, "%.2f %%", 100 * rate);
    }
}
