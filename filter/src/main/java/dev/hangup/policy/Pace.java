package dev.hangup.policy;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * How fast a policy is read: at once while an application starts, or in slices with pauses between them while it serves requests,
 * which would otherwise share their processors with a long reading. Of one reading, on its thread.
 */
final class Pace {

    private static final Duration SLICE = Duration.ofNanos(200_000);
    private static final Duration PAUSE = Duration.ofNanos(600_000);

    /** So that the largest policy is in force within seconds on a machine that is slow, too. */
    private static final Duration ALL_PAUSES = Duration.ofMillis(1_500);

    private long pausesLeft;
    private long sliceBegan = System.nanoTime();

    private Pace(Duration pauses) {
        pausesLeft = pauses.toNanos();
    }

    static Pace atOnce() {
        return new Pace(Duration.ZERO);
    }

    static Pace gentle() {
        return new Pace(ALL_PAUSES);
    }

    /** Between two pieces of work, each far shorter than a slice. */
    void step() {
        if (pausesLeft > 0) {
            long now = System.nanoTime();
            if (now - sliceBegan >= SLICE.toNanos()) {
                LockSupport.parkNanos(PAUSE.toNanos()); // returns at once for a thread that is wanted to end
                sliceBegan = System.nanoTime();
                pausesLeft -= sliceBegan - now;
            }
        }
    }
}
