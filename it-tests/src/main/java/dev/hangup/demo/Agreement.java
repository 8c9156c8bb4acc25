package dev.hangup.demo;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Hangup's metrics held against the ledger. The ledger counts from when a caller closes its socket, Hangup from when it sees
 * that, a millisecond or two later: nothing to work that goes on for seconds, but a part of work that Hangup ends at once.
 *
 * @param observed a phase in which Hangup only counts
 * @param cancelled a phase in which it cancels
 * @param all every phase with Hangup
 */
record Agreement(Result observed, Result cancelled, Collection<Result> all, int pool) {

    /** The ledger's figure and Hangup's. */
    private record Pair(double booked, double measured) {
        double difference() {
            return measured - booked;
        }

        double part() {
            return booked == 0 ? 0 : difference() / booked;
        }

        Pair times(double factor) {
            return new Pair(booked * factor, measured * factor);
        }
    }

    /** The largest difference, as a part (0..1) of the ledger's figure, where work goes on for seconds. */
    double largestDifference() {
        return Math.max(
                Math.abs(share(observed).part()),
                Math.max(Math.abs(seconds(observed).part()), Math.abs(total().part())));
    }

    Table table() {
        Pair perDeparture =
                seconds(cancelled).times(1000.0 / Math.max(1, cancelled.whole().departures()));
        Pair percent = share(cancelled).times(100);
        return new Table()
                .row("", "the books", "Hangup's metrics", "difference")
                .row("Hangup only observes")
                .row("  unowned seconds", relative(seconds(observed), ""))
                .row("  pool share held for nobody", relative(share(observed).times(100), " %"))
                .row("")
                .row("with Hangup")
                .row("  unowned milliseconds a departure", absolute(perDeparture, "", " ms"))
                .row("  pool share held for nobody", absolute(percent, " %", " points"))
                .row("")
                .row("unowned seconds of all phases with Hangup", relative(total(), ""));
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(Phase.OBSERVE, json(observed));
        json.put(Phase.WITH, json(cancelled));
        json.put("unowned_seconds", total().booked());
        json.put("hangup_unowned_seconds", total().measured());
        return json;
    }

    private Map<String, Object> json(Result result) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("unowned_seconds", seconds(result).booked());
        json.put("hangup_unowned_seconds", seconds(result).measured());
        json.put("pool_share", share(result).booked());
        json.put("hangup_pool_share", share(result).measured());
        return json;
    }

    private static Pair seconds(Result result) {
        return new Pair(result.whole().unownedSeconds(), result.wholeReading().unownedSeconds());
    }

    private Pair share(Result result) {
        double measured =
                result.steadyReading().unownedPoolSeconds() / result.window().seconds() / pool;
        return new Pair(result.steady().poolShare(), measured);
    }

    private Pair total() {
        return new Pair(
                all.stream().mapToDouble(result -> seconds(result).booked()).sum(),
                all.stream().mapToDouble(result -> seconds(result).measured()).sum());
    }

    private static String[] relative(Pair pair, String unit) {
        return cells(pair, unit, 100 * pair.part(), " %");
    }

    private static String[] absolute(Pair pair, String unit, String differenceUnit) {
        return cells(pair, unit, pair.difference(), differenceUnit);
    }

    private static String[] cells(Pair pair, String unit, double difference, String differenceUnit) {
        return new String[] {
            String.format(Locale.ROOT, "%.2f%s", pair.booked(), unit),
            String.format(Locale.ROOT, "%.2f%s", pair.measured(), unit),
            String.format(Locale.ROOT, "%+.2f%s", difference, differenceUnit)
        };
    }
}
