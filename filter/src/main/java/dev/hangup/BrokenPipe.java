package dev.hangup;

import java.io.IOException;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/**
 * Whether a write to the caller's own connection has failed because the other side has reset it (EPIPE, ECONNRESET). Only where
 * the failure comes from the response: a downstream call's looks the same. Any other failure, and a connection that was closed on
 * this side, says nothing of the caller.
 */
final class BrokenPipe {
    /** Longer than any chain of causes that a container makes. */
    private static final int DEEP = 8;

    private BrokenPipe() {}

    static boolean isCause(@Nullable Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEP; depth++) {
            if ((cause.getClass() == IOException.class || cause instanceof SocketException)
                    && isReset(cause.getMessage())) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** The JDK has no other sign of it than the system's message. */
    private static boolean isReset(@Nullable String message) {
        return message != null && (message.contains("Broken pipe") || message.contains("Connection reset"));
    }
}
