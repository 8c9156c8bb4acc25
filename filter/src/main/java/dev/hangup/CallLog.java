package dev.hangup;

import dev.hangup.call.CallListener;
import dev.hangup.call.CallScope;
import dev.hangup.call.CancelReason;
import dev.hangup.call.Outcome;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One line per outcome that is not an ordinary one, at DEBUG, with endpoint and reason, never a path or a query string; a WARNING
 * for stuck work, which an operator must act on, an INFO for work that outlasts its cancel in a shield. Written by cancellers: the
 * thread that ended the call may carry somebody's interrupt, and an appender that meets one may close its file or swallow it.
 */
final class CallLog implements CallListener {
    private static final System.Logger LOG = System.getLogger("dev.hangup");

    @Override
    public void ended(CallScope call, Outcome outcome) {
        if (outcome != Outcome.COMPLETED && LOG.isLoggable(Level.DEBUG)) {
            long since = call.unownedSince();
            String line = String.format(
                    Locale.ROOT,
                    "%s %s%s after %.3f s, unowned for %.3f s",
                    call.endpoint(),
                    outcome.name().toLowerCase(Locale.ROOT),
                    call.cancelReason().map(reason -> " " + reason).orElse(""),
                    seconds(call.endedAt() - call.startedAt()),
                    since == 0 ? 0 : seconds(Math.max(0, call.endedAt() - since)));
            call.runtime().canceller().execute(() -> write(line));
        }
    }

    private static void write(String line) {
        LOG.log(Level.DEBUG, line);
    }

    @Override
    public void stuck(CallScope call, List<StackTraceElement> where) {
        LOG.log(Level.WARNING, since(call, "but still works after", where));
    }

    @Override
    public void shielded(CallScope call, List<StackTraceElement> where) {
        LOG.log(Level.INFO, since(call, "and is shielded from that since", where));
    }

    private static String since(CallScope call, String what, List<StackTraceElement> where) {
        return String.format(
                Locale.ROOT,
                "%s was cancelled (%s) %s %.1f s:%n%s",
                call.endpoint(),
                call.cancelReason().map(CancelReason::name).orElse(""),
                what,
                seconds(System.nanoTime() - call.cancelledAt()),
                where.stream().map(frame -> "    at " + frame).collect(Collectors.joining(System.lineSeparator())));
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }
}
