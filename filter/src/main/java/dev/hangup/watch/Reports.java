package dev.hangup.watch;

import dev.hangup.call.CallScope;
import dev.hangup.call.Unwatched;
import java.lang.System.Logger.Level;
import java.util.EnumSet;
import java.util.Set;

/** What is said about callers that cannot be watched, once per cause. On the watcher thread. */
final class Reports {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    private final Set<Unwatched> reported = EnumSet.noneOf(Unwatched.class);

    void unwatched(CallScope call, Unwatched cause, String message) {
        call.unwatched(cause);
        if (reported.add(cause)) {
            boolean surprising = cause == Unwatched.UNKNOWN_CONTAINER || cause == Unwatched.INTERNALS_CHANGED;
            LOG.log(
                    surprising ? Level.WARNING : Level.INFO,
                    "callers that cannot be watched ({0}): {1}; their deadlines still apply",
                    cause,
                    message);
        }
    }

    /** @param missed the class and the member that are not what the watch was written for */
    void degraded(String missed) {
        if (reported.add(Unwatched.INTERNALS_CHANGED)) {
            LOG.log(
                    Level.WARNING,
                    "a container is not what its watch was written for ({0}): its callers are looked up in the "
                            + "table of sockets instead, where that is possible",
                    missed);
        }
    }
}
