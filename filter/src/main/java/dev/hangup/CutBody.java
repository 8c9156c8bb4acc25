package dev.hangup;

import dev.hangup.call.CancelReason;
import java.io.EOFException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What it says of the caller that the container could not read the body to its end. A body that is cut in the middle can never
 * become whole: that is a departure also where the policy tolerates half-closes. One that is malformed, or late, is not.
 */
final class CutBody {
    /** Longer than any chain of causes that a container makes. */
    private static final int DEEP = 8;

    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final int LOOKS = 5;

    private CutBody() {}

    /**
     * Null if the caller need not have left. Waits a moment for an end that nothing explains yet. On the worker.
     *
     * @param end how the connection has ended, null if it has not
     */
    static @Nullable CancelReason cause(Throwable failure, Supplier<@Nullable CancelReason> end) {
        CancelReason seen = end.get();
        if (seen != null || isEndOfFile(failure)) {
            return seen == null ? CancelReason.CALLER_CLOSED : seen;
        }
        // Tomcat has read a close_notify, and complains of a closed engine as it might of anything: the FIN comes next.
        for (int look = 0; look < LOOKS && seen == null; look++) {
            LockSupport.parkNanos(PAUSE.toNanos());
            seen = end.get();
        }
        return seen;
    }

    private static boolean isEndOfFile(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEP; depth++) {
            if (cause instanceof EOFException) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
