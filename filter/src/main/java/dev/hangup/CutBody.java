package dev.hangup;

import dev.hangup.call.CancelReason;
import java.io.EOFException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What it says of the caller that the container could not read the body to its end. A body that is cut in the middle can never
 * become whole: that is a departure also where the policy tolerates half-closes. One that is malformed, or late, is not.
 */
final class CutBody {
    /** Longer than any chain of causes that a container makes. */
    private static final int DEEP = 8;

    private CutBody() {}

    /**
     * Null if the caller need not have left.
     *
     * @param reset whether the connection was reset; a container may report that as an end, or as anything
     */
    static @Nullable CancelReason cause(Throwable failure, BooleanSupplier reset) {
        if (reset.getAsBoolean()) {
            return CancelReason.CALLER_RESET;
        }
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEP; depth++) {
            if (cause instanceof EOFException) {
                return CancelReason.CALLER_CLOSED;
            }
            cause = cause.getCause();
        }
        return null;
    }
}
