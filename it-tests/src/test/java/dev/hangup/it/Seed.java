package dev.hangup.it;

import java.util.Locale;
import java.util.Random;

/** Where a random test draws its lots from: {@code -Dhangup.seed}, else the clock. Printed, because it repeats a run as far as threads allow. */
final class Seed {

    private Seed() {}

    static Random random(String what) {
        long seed = Long.getLong("hangup.seed", System.nanoTime());
        System.out.printf(Locale.ROOT, "%s: seed %d%n", what, seed);
        return new Random(seed);
    }
}
