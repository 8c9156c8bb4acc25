package dev.hangup.tune;

import org.jspecify.annotations.Nullable;

/**
 * Where a value is looked for, in milliseconds: from the floor in steps until enough calls would have finished, up to the cap, which is
 * the answer if none does. Without a floor it is the slowest success with some headroom, in whole steps.
 *
 * @param floor null: the slowest success decides
 * @param cap null: none
 * @param step above zero
 * @param headroom what the slowest success is multiplied with
 */
record Search(@Nullable Long floor, @Nullable Long cap, long step, double headroom) {

    /** Rates are quotients: what is as high as the target but for that is. */
    private static final double ROUNDING = 1e-9;

    /** What is tried for the first time at the floor, and at no more than the cap. */
    long find(Survival survival, double target) {
        if (floor == null) {
            long wanted = (long) Math.ceil(Math.max(survival.slowest(), 1) * headroom - ROUNDING);
            return atMostCap((wanted + step - 1) / step * step);
        }
        long last = cap != null ? cap : Math.max(floor, survival.slowest());
        for (long value = floor; value < last; value += step) {
            if (meets(survival.finishedBy(value), target)) {
                return value;
            }
        }
        // Without a cap, the first step that is not below the slowest.
        return cap != null ? cap : floor + (last - floor + step - 1) / step * step;
    }

    private long atMostCap(long value) {
        return cap == null ? value : Math.min(value, cap);
    }

    static boolean meets(double rate, double target) {
        return rate >= target - ROUNDING;
    }
}
