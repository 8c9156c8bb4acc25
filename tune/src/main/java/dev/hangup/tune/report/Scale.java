package dev.hangup.tune.report;

import java.util.ArrayList;
import java.util.List;

/** Turns seconds into places from 0 to 1: evenly, or by their logarithm where the longest is many times the usual. */
record Scale(double first, double last, boolean logarithmic) {

    private static final double MANY = 25;
    private static final int MOST_STEPS = 5;

    static Scale of(double usual, double last) {
        boolean logarithmic = usual > 0 && last / usual > MANY;
        return new Scale(logarithmic ? usual / 4 : 0, last * 1.06, logarithmic);
    }

    double at(double seconds) {
        double place =
                logarithmic ? Math.log(Math.max(seconds, first) / first) / Math.log(last / first) : seconds / last;
        return Math.min(Math.max(place, 0), 1);
    }

    /** Round numbers, few enough for a narrow screen. */
    List<Double> ticks() {
        return logarithmic ? decades() : steps();
    }

    private List<Double> steps() {
        double least = last / MOST_STEPS;
        double unit = Math.pow(10, Math.floor(Math.log10(least)));
        double step = 10 * unit;
        for (double finer : new double[] {5 * unit, 2 * unit, unit}) {
            step = finer >= least ? finer : step;
        }
        List<Double> ticks = new ArrayList<>();
        for (int i = 0; i * step <= last; i++) {
            ticks.add(i * step);
        }
        return ticks;
    }

    private List<Double> decades() {
        List<Double> ticks = new ArrayList<>();
        boolean wide = Math.log10(last / first) > 2;
        for (int decade = (int) Math.floor(Math.log10(first)); Math.pow(10, decade) <= last; decade++) {
            for (double leading : wide ? new double[] {1} : new double[] {1, 3}) {
                double tick = leading * Math.pow(10, decade);
                if (tick >= first && tick <= last) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }
}
