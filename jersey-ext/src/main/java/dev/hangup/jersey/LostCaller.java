package dev.hangup.jersey;

import dev.hangup.call.CallScope;
import dev.hangup.call.CallerState;
import dev.hangup.call.Consequence.AbortedException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Whether the container could not write because nobody takes it any more. The write may be the first to find out, before the watch
 * has come by and before the call is cancelled, if it ever is.
 */
final class LostCaller {
    private LostCaller() {}

    /** @param failed by the container's own stream: a broken pipe to somewhere else looks the same */
    static boolean isCause(CallScope call, IOException failed) {
        if (call.isCancelled() || call.caller() == CallerState.GONE || failed instanceof AbortedException) {
            return true; // refused: the call is cancelled, or its response is over, and perhaps not marked as that yet
        }
        for (@Nullable Throwable cause = failed; cause != null; cause = cause.getCause()) {
            String name = cause.getClass().getSimpleName(); // of Tomcat's or of Jetty's own
            String message = String.valueOf(cause.getMessage());
            if (name.equals("ClientAbortException")
                    || name.equals("EofException")
                    || message.contains("Broken pipe")
                    || message.contains("Connection reset")) {
                return true;
            }
        }
        return false;
    }
}
