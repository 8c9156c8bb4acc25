package dev.hangup.call;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Hangup's logger for threads that are not its own. A log file that is written by an interrupted thread may be closed by that, or
 * the interrupt may be swallowed; so a pending one is put aside meanwhile, and no cancel interrupts.
 */
public final class Log {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    private Log() {}

    /** Any thread; {@code thrown} is what has failed, or null. The interrupt flag is afterwards as it was before. */
    public static void log(Level level, String message, @Nullable Throwable thrown) {
        if (!LOG.isLoggable(level)) {
            return;
        }
        CallScope.enterGuard();
        boolean pending = Thread.interrupted();
        try {
            LOG.log(level, message, thrown);
        } finally {
            if (pending) {
                Thread.currentThread().interrupt();
            }
            CallScope.leaveGuardQuietly();
        }
    }
}
