package dev.hangup.tune.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One endpoint or source in one window. Spans are seconds, shares are 0 to 1.
 *
 * @param finished the share of calls that would have finished, by how long one waits
 * @param patience the share of the callers who left that had left, by how long they had waited; empty if none left
 * @param departures how many left
 * @param marks the deadlines to be compared
 * @param rate the share that would finish within the recommended deadline; NaN if there is none
 * @param target what was asked for; NaN: not known
 * @param note what has to be known before the recommendation is followed; empty: nothing
 * @param reason why the decision is what it is; empty: not known
 * @param decision such as {@code raise}; empty where no value in force is known
 */
public record Panel(
        String endpoint,
        String window,
        long samples,
        Curve finished,
        Curve patience,
        long departures,
        Marks marks,
        double rate,
        double target,
        String note,
        String reason,
        String decision,
        Tail tail,
        List<Run> runs) {

    /** Deadlines; null: there is none. */
    public record Marks(
            @Nullable Double floor,
            @Nullable Double cap,
            @Nullable Double current,
            @Nullable Double recommended) {}

    /** Of what the calls are that took longer than the deadline in force. */
    public record Tail(long errors, long slow, long departures) {

        long total() {
            return errors + slow + departures;
        }
    }

    /** One run, and the share of its calls that would finish within the recommended deadline. */
    public record Run(String name, long samples, double rate) {}

    /** A name for links. */
    String anchor() {
        return "p" + Integer.toHexString((endpoint + '\n' + window).hashCode());
    }

    boolean meets(double rate) {
        return Double.isNaN(target) || rate >= target - 1e-9;
    }
}
