package dev.hangup.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * When requests come and which of them are slow. The same seed gives the same arrivals, so that the server meets the same
 * load without Hangup and with it.
 */
final class Arrivals {

    /**
     * @param afterNanos from the start of the load
     * @param slow whether its work lasts as long as the server allows
     */
    record Arrival(long afterNanos, boolean slow) {}

    private Arrivals() {}

    /** Arrivals of a Poisson process: many callers who know nothing of each other. */
    static List<Arrival> poisson(long seed, double perSecond, double slowShare, Duration length) {
        Random random = new Random(seed);
        List<Arrival> arrivals = new ArrayList<>();
        double seconds = 0;
        double end = Arithmetic.seconds(length);
        while (true) {
            seconds += -Math.log(1 - random.nextDouble()) / perSecond;
            if (seconds >= end) {
                return arrivals;
            }
            arrivals.add(new Arrival((long) (seconds * 1e9), random.nextDouble() < slowShare));
        }
    }

    /** Slow requests, all at once. */
    static List<Arrival> together(int count) {
        return Collections.nCopies(count, new Arrival(0, true));
    }
}
