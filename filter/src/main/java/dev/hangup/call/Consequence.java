package dev.hangup.call;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Tells an exception that our own cancel has caused from a failure of the application. Any thread. */
public final class Consequence {
    /** SQLSTATE query_canceled of PostgreSQL and H2, and general "operation cancelled" (ISO 9075, class HY). */
    private static final Set<String> SQL_STATES = Set.of("57014", "HY008", "70100");

    private Consequence() {}

    /** Whether {@code thrown}, or what it was caused by, is what a cancelled call's worker may throw. */
    public static boolean of(CallScope call, Throwable thrown) {
        if (!call.isCancelled() || thrown instanceof VirtualMachineError) {
            return false;
        }
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (@Nullable Throwable cause = thrown; cause != null && seen.add(cause); cause = cause.getCause()) {
            if (isOurs(cause)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOurs(Throwable cause) {
        return cause instanceof CallCancelledException
                || cause instanceof AbortedException
                || cause instanceof InterruptedException
                || (cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException))
                || cause instanceof ClosedByInterruptException
                || cause instanceof CancellationException
                || (cause instanceof SQLException sql && SQL_STATES.contains(String.valueOf(sql.getSQLState())));
    }

    /**
     * What the guarded streams throw once the call is cancelled or over. By its simple name, which is also reactor-netty's, Spring
     * knows that there is nobody to be answered any more ({@code DisconnectedClientHelper}), and does not warn of an exception handler
     * that could not write.
     */
    public static final class AbortedException extends IOException {
        private static final long serialVersionUID = 1L;

        /** Of a stream whose call is cancelled or over, which the message names; {@code cause}, if any, is the container's. */
        public AbortedException(String message, @Nullable IOException cause) {
            super(message, cause);
        }
    }
}
