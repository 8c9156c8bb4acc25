package dev.hangup.jdbc;

import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a worker sees on a connection of a cancelled call: SQLState {@code HY008} (operation cancelled). Non-transient, so that
 * nobody retries; frameworks mark the transaction for rollback. The driver's own error, if there was one, is the cause.
 */
public final class CallCancelledSQLException extends SQLNonTransientException {
    private static final long serialVersionUID = 1L;

    /** ISO/IEC 9075-3 (SQL/CLI): operation cancelled. */
    public static final String SQL_STATE = "HY008";

    private final CancelReason reason;

    CallCancelledSQLException(CallScope call, String what, @Nullable SQLException cause) {
        super(message(call, what), SQL_STATE, cause);
        this.reason = call.cancelReason().orElseThrow();
    }

    /** Why the call was cancelled. */
    public CancelReason reason() {
        return reason;
    }

    private static String message(CallScope call, String what) {
        String name =
                call.endpoint().equals(CallScope.UNMATCHED) ? call.method() + " " + call.endpoint() : call.endpoint();
        double seconds = call.elapsed().toNanos() / 1e9;
        CancelReason reason = call.cancelReason().orElseThrow();
        return String.format(Locale.ROOT, "%s cancelled: %s after %.3f s; %s", name, reason, seconds, what);
    }
}
