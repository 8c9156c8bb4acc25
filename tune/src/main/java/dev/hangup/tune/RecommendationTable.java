package dev.hangup.tune;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Recommendations for a person: a row for each, and below it what has to be known before it is followed. */
final class RecommendationTable {

    private static final List<String> HEAD =
            List.of("endpoint", "window", "samples", "p95", "p99", "current", "recommended", "finished", "decision");

    private RecommendationTable() {}

    static String of(List<Recommendation> recommendations) {
        if (recommendations.isEmpty()) {
            return String.format("No call was counted.%n");
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        recommendations.forEach(each -> rows.add(row(each)));
        int[] widths = new int[HEAD.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            line(text, rows.get(i), widths);
            if (i > 0) {
                notes(recommendations.get(i - 1))
                        .forEach(note -> text.append("    ").append(note).append(System.lineSeparator()));
            }
        }
        return text.toString();
    }

    private static void line(StringBuilder text, List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            boolean left = i < 2 || i == widths.length - 1;
            line.append(String.format("%" + (left ? "-" : "") + widths[i] + "s  ", row.get(i)));
        }
        text.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }

    private static List<String> row(Recommendation it) {
        Double rate = it.estimatedSuccessRate();
        return List.of(
                it.endpoint(),
                it.window(),
                String.valueOf(it.samples()),
                span(it.p95()),
                span(it.p99()),
                span(it.current()),
                span(it.recommended()),
                rate == null ? "-" : percent(rate),
                it.decision() == null ? "-" : it.decision().key());
    }

    private static List<String> notes(Recommendation it) {
        List<String> notes = new ArrayList<>();
        Map<String, Object> more = it.more();
        if (more.get("reason") instanceof String reason) {
            notes.add(reason);
        }
        if (it.issue() == Issue.SHORT_OF_TARGET) {
            notes.add("no value up to this one meets the target of " + percent(number(more, "target"))
                    + ": it falls short by " + percent(number(more, "shortfall")));
        }
        Tail tail = it.tail();
        if (tail.errors() + tail.departures() > 0) {
            notes.add("tail: " + tail.slow() + " slow successes, " + tail.errors() + " errors, " + tail.departures()
                    + " departures");
        }
        if (more.get("patience") instanceof Map<?, ?> patience
                && more.get("success_rate_bounds") instanceof List<?> bounds) {
            notes.add("callers who left waited " + patience.get("p50") + " s (median), " + patience.get("p95")
                    + " s (p95); their calls leave the success rate between " + percent(bounds.get(0)) + " and "
                    + percent(bounds.get(1)));
        }
        if (more.get("fan_out") instanceof Map<?, ?> fan) {
            notes.add("dropped: " + percent(fan.get("call_drop_rate")) + " of calls, "
                    + percent(fan.get("fetch_drop_rate")) + " of fetches of " + fan.get("calls") + " calls");
        }
        if (more.get("drop_rates") instanceof List<?> rates) {
            notes.add("dropped at "
                    + String.join(
                            ", ", rates.stream().map(RecommendationTable::drop).toList()));
        }
        Stability stability = it.stability();
        if (stability.runs() > 0) {
            notes.add(stability.meetingTarget() + " of " + stability.runs()
                    + (stability.runs() == 1 ? " run meets" : " runs meet") + " the target, worst "
                    + percent(stability.worst()) + ", best " + percent(stability.best()));
        }
        return notes;
    }

    private static String drop(@Nullable Object rate) {
        return rate instanceof Map<?, ?> map ? map.get("value") + " s: " + percent(map.get("drop_rate")) : "";
    }

    private static double number(Map<String, Object> more, String key) {
        return more.get(key) instanceof Number number ? number.doubleValue() : 0;
    }

    private static String span(@Nullable Duration span) {
        return span == null
                ? "-"
                : String.format(Locale.ROOT, "%.3f", span.toMillis() / 1e3).replaceAll("0{1,2}$", "");
    }

    /** Two digits after the point: the difference between 99.5 and 99.6 matters. */
    private static String percent(@Nullable Object rate) {
        return rate instanceof Number number ? String.format(Locale.ROOT, "%.2f %%", number.doubleValue() * 100) : "-";
    }
}
