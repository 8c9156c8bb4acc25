package dev.hangup;

import dev.hangup.call.CancelReason;
import java.io.EOFException;
import java.io.IOException;
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
     * Null if the caller need not have left. On the worker.
     *
     * @param end how the connection has ended, null if it has not, or if that cannot be told
     */
    static @Nullable CancelReason cause(Throwable failure, @Nullable CancelReason end) {
        return end == null && isEnd(failure) ? CancelReason.CALLER_CLOSED : end;
    }

    private static boolean isEnd(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEP; depth++) {
            if (cause instanceof EOFException || isCloseNotify(cause)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /**
     * Tomcat over TLS has read a close_notify in place of the body, and says so with the status that the engine has come to, in any
     * language in brackets. An alert of another kind is an SSLException.
     */
    private static boolean isCloseNotify(Throwable cause) {
        String message = cause.getMessage();
        return cause.getClass() == IOException.class && message != null && message.contains("[CLOSED]");
    }
}
