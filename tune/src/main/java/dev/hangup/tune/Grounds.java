package dev.hangup.tune;

import java.math.BigDecimal;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Why a value is recommended, and whether it is to take the place of the one in force. A value in force cuts off what it is judged by:
 * the slowest success comes close to it whatever it is, and headroom on top would raise it round by round. So it is raised only if it
 * misses the target, or if successes are known to have taken longer.
 *
 * @param current the value in force, in milliseconds; null if none is known
 * @param reach the slowest success that is known to have taken so long, in milliseconds; less than the slowest that was counted where
 *     the value in force cuts
 */
record Grounds(
        Search search,
        Survival survival,
        double target,
        @Nullable Long current,
        long reach) {

    private static final int MOST_DIGITS = 6;

    /** From here on a value in force is not raised; null: it is whatever it is, since the target is met nowhere. */
    @Nullable
    Long suffices() {
        long met = survival.metAt(target);
        Long floor = search.floor();
        if (floor == null) {
            return met < 0 ? null : Long.valueOf(reach);
        }
        if (met < 0) {
            // Without a cap nothing says how much more would do.
            return search.cap() == null ? Long.valueOf(Math.max(floor, reach)) : null;
        }
        return Math.max(floor, Math.min(met, reach));
    }

    /** Null where no value in force is known. */
    @Nullable
    Decision decision(@Nullable Long value) {
        if (current == null) {
            return null;
        }
        if (value == null || value.equals(current)) {
            return Decision.KEEP;
        }
        if (value > current) {
            return isEnough(current) ? Decision.KEEP : Decision.RAISE;
        }
        return Search.meets(survival.finishedBy(value), target) ? Decision.LOWER : Decision.KEEP;
    }

    private boolean isEnough(long millis) {
        Long suffices = suffices();
        return suffices != null && millis >= suffices;
    }

    /** Where the value comes from, whatever is in force. */
    String basis(long value) {
        Long floor = search.floor();
        boolean meets = Search.meets(survival.finishedBy(value), target);
        if (survival.slowest() < 0) {
            return "no call succeeded";
        }
        if (floor == null) {
            String slowest = "the slowest success took " + seconds(survival.slowest()) + ", times "
                    + BigDecimal.valueOf(search.headroom()).stripTrailingZeros().toPlainString();
            return search.cap() != null && value == search.cap() ? slowest + ", up to the cap" : slowest;
        }
        if (!meets) {
            return search.cap() == null
                    ? "no step meets the target, and none succeeded later"
                    : "no step up to the cap meets the target";
        }
        return value == floor
                ? seconds(value) + " is the floor, and meets the target"
                : seconds(value) + " is the first step from " + seconds(floor) + " that meets the target";
    }

    /** Why the decision is what it is, in words; without a value in force, why the value is. */
    String reason(@Nullable Long value, @Nullable Issue issue, int missing) {
        if (value == null) {
            return "too few: " + missing + (missing == 1 ? " sample is missing" : " samples are missing");
        }
        if (issue == Issue.ERRORS_IN_TAIL) {
            return "the tail is made of errors, which no value rescues: fail fast";
        }
        if (current == null) {
            return basis(value);
        }
        if (value.equals(current)) {
            return "it is in force; " + basis(value);
        }
        return value > current ? upwards(value, current) : downwards(value);
    }

    private String upwards(long value, long now) {
        if (isEnough(now)) {
            boolean cut = reach < survival.slowest();
            double rate = survival.finishedBy(cut ? survival.slowest() : now);
            String finished = rates(rate) + " within " + seconds(now);
            String longest = ", and no success " + (cut ? "is known to take" : "took") + " longer";
            return search.floor() == null
                    ? finished + longest + "; headroom alone raises nothing"
                    : Search.meets(rate, target) ? finished : finished + longest;
        }
        if (!Search.meets(survival.finishedBy(now), target)) {
            return rates(survival.finishedBy(now)) + " within " + seconds(now) + "; " + basis(value);
        }
        long longer = survival.successesAfter(now);
        return search.floor() != null
                ? basis(value)
                : longer + (longer == 1 ? " success" : " successes") + " took longer than " + seconds(now) + "; "
                        + basis(value);
    }

    private String downwards(long value) {
        String rates = rates(survival.finishedBy(value)) + " within " + seconds(value);
        return Search.meets(survival.finishedBy(value), target)
                ? rates + "; " + basis(value)
                : rates + ", and what misses its target lowers nothing";
    }

    /** With as many digits as it takes to see that a target is missed. */
    private String rates(double rate) {
        int digits = 2;
        while (digits < MOST_DIGITS
                && !Search.meets(rate, target)
                && percent(rate, digits).equals(percent(target, digits))) {
            digits++;
        }
        return percent(rate, digits) + " finish, of " + percent(target, digits) + " asked for,";
    }

    private static String percent(double rate, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f %%", 100 * rate);
    }

    private static String seconds(long millis) {
        BigDecimal seconds = BigDecimal.valueOf(millis, 3);
        return (seconds.signum() == 0 ? "0" : seconds.stripTrailingZeros().toPlainString()) + "s";
    }
}
