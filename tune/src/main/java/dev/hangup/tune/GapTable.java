package dev.hangup.tune;

import dev.hangup.policy.Durations;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.Collectors;

/** A gap's figures for a person. Whole numbers are cut, never rounded up. */
final class GapTable {

    private final StringBuilder text = new StringBuilder();

    private GapTable() {}

    static String of(GapArithmetic gap, int attempts, GapJudgement judgement, List<GapOption> options) {
        GapTable table = new GapTable();
        table.pair(gap, judgement);
        table.figures(gap);
        table.attempts(gap, attempts);
        table.options(options);
        table.nullControl(gap.withNothingSlow());
        table.line("verdict", gap.verdict().key() + ": " + gap.verdict().advice());
        return table.text.toString();
    }

    private void pair(GapArithmetic gap, GapJudgement judgement) {
        line("server's deadline", Durations.format(gap.server()) + "; " + judgement.server());
        line("client's timeout", Durations.format(gap.client()) + "; " + judgement.client());
        text.append('\n');
    }

    private void figures(GapArithmetic gap) {
        line("slow requests/s", plain(gap.slowPerSecond()));
        line("ownerless seconds each", plain(gap.ownerlessSeconds()));
        line("unowned in flight", plain(gap.unownedInFlight()) + " of " + gap.pool());
        line("pool share", cut(gap.poolShare().movePointRight(2)) + " %");
        line("what is left", plain(gap.poolAvailable()));
        String each = " at " + Durations.format(gap.client()) + " each";
        line("requests/s it can serve", gap.servablePerSecond() + each + "; " + plain(gap.rps()) + " are offered");
        BigDecimal until = gap.secondsUntilExhausted();
        if (until != null) {
            line("exhausted", "the pool has no connection left " + plain(until) + " s after the first departure");
        }
        if (gap.waitedForKilledSeconds().signum() > 0) {
            line("waited for nothing", plain(gap.waitedForKilledSeconds()) + " s after the server gave up");
        }
        text.append('\n');
    }

    private void attempts(GapArithmetic gap, int attempts) {
        String rows = gap.attempts(attempts).stream()
                .map(row -> plain(row.cumulative()))
                .collect(Collectors.joining(", "));
        line("connection-seconds", rows + " after " + attempts + " attempts");
        line("added by retries", plain(gap.addedByRetries(attempts)));
        text.append('\n');
    }

    private void options(List<GapOption> options) {
        for (GapOption option : options) {
            line(
                    option.key(),
                    option.remedy() + "; cost: " + option.cost() + "; then "
                            + cut(option.then().poolShare().movePointRight(2)) + " % of the pool is unowned");
        }
        text.append('\n');
    }

    private void nullControl(GapArithmetic nothing) {
        line(
                "with nothing slow",
                plain(nothing.unownedInFlight()) + " unowned in flight, "
                        + cut(nothing.poolShare().movePointRight(2)) + " % of the pool");
    }

    private void line(String name, String value) {
        text.append(String.format("%-25s%s%n", name, value));
    }

    private static String cut(BigDecimal number) {
        return number.setScale(0, RoundingMode.DOWN).toPlainString();
    }

    private static String plain(BigDecimal number) {
        return number.scale() > 3 ? number.setScale(3, RoundingMode.DOWN).toPlainString() : number.toPlainString();
    }
}
