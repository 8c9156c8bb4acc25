package dev.hangup.demo;

import java.util.Collection;
import java.util.function.ToLongFunction;

/**
 * What the ledger says of one phase. Averages are weighted by time: sums of spans, divided by the window, not samples.
 *
 * @param poolShare the part (0..1) of the pool held for callers who had left
 * @param unownedInFlight calls that worked for callers who had left
 * @param poolAvailable connections not held for them
 * @param poolIdle connections that nobody held
 * @param servedInTimePerSecond fast requests whose caller got its response while it waited
 * @param servedInTimeShare their part (0..1) of the fast requests sent
 * @param unownedSeconds seconds worked for callers who had left
 * @param unownedPoolSeconds seconds of connections held for them
 * @param departures callers who left
 * @param committedForNobody transactions committed for callers who had left
 */
record Figures(
        double poolShare,
        double unownedInFlight,
        double poolAvailable,
        double poolIdle,
        double servedInTimePerSecond,
        double servedInTimeShare,
        double unownedSeconds,
        double unownedPoolSeconds,
        int departures,
        int committedForNobody) {

    static Figures of(Collection<Attempt> attempts, Window window, int pool) {
        double length = window.seconds();
        double unowned = seconds(attempts, attempt -> attempt.unownedNanos(window));
        double unownedHold = seconds(attempts, attempt -> attempt.unownedHoldNanos(window));
        double hold = seconds(attempts, attempt -> attempt.holdNanos(window));
        int offered = 0;
        int served = 0;
        int departures = 0;
        int committed = 0;
        for (Attempt attempt : attempts) {
            if (!window.contains(attempt.openedAt)) {
                continue;
            }
            departures += attempt.leftAt != 0 ? 1 : 0;
            committed += attempt.committedForNobody() ? 1 : 0;
            if (!attempt.slow) {
                offered++;
                served += attempt.servedAt != 0 ? 1 : 0;
            }
        }
        return new Figures(
                unownedHold / length / pool,
                unowned / length,
                pool - unownedHold / length,
                pool - hold / length,
                served / length,
                offered == 0 ? 1 : (double) served / offered,
                unowned,
                unownedHold,
                departures,
                committed);
    }

    private static double seconds(Collection<Attempt> attempts, ToLongFunction<Attempt> nanos) {
        return attempts.stream().mapToLong(nanos).sum() / 1e9;
    }
}
