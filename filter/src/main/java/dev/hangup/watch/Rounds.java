package dev.hangup.watch;

import java.lang.System.Logger.Level;
import java.time.Duration;

/** How long the watcher is busy between two selects: so long no departure is seen, and no deadline fires. */
final class Rounds {
    private static final System.Logger LOG = System.getLogger("dev.hangup");
    private static final Duration TOO_LONG = Duration.ofSeconds(1);

    /** Written by the watcher. */
    private volatile long longest;

    private boolean said;

    /** On the watcher thread. */
    void took(long nanos) {
        longest = Math.max(longest, nanos);
        if (nanos > TOO_LONG.toNanos() && !said) {
            said = true;
            LOG.log(
                    Level.WARNING,
                    "the watcher was held up for {0} ms, so that departures and deadlines were late: the machine is overloaded,"
                            + " or a CallListener blocks",
                    nanos / 1_000_000);
        }
    }

    /** Any thread. */
    Duration longest() {
        return Duration.ofNanos(longest);
    }
}
