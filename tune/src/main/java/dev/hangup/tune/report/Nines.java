package dev.hangup.tune.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Turns shares into places from 0 to 1 such that each line up is a tenth of the misses: 0, 90, 99 and 99.9 %. Evenly drawn, the
 * difference between a deadline that fails one call in a hundred and one that fails one in a thousand would be a hair.
 */
record Nines(double most) {

    private static final double FEWEST = 2;
    private static final double MOST = 4;
    /** Between the last line that so many samples can reach, and the top, which is the whole. */
    private static final double ABOVE = 0.4;

    /** As many as so many samples can tell apart. */
    static Nines of(long samples) {
        return new Nines(Math.min(Math.max(Math.log10((double) Math.max(samples, 1)), FEWEST), MOST) + ABOVE);
    }

    double at(double share) {
        double nines = -Math.log10(Math.max(1 - share, 1e-9));
        return Math.min(Math.max(nines / most, 0), 1);
    }

    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>(List.of(0.0, 0.5));
        for (int nines = 1; nines <= most - ABOVE; nines++) {
            ticks.add(1 - Math.pow(10, -nines));
        }
        ticks.add(1.0);
        return ticks;
    }
}
