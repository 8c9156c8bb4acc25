package dev.hangup.tune.report;

import static dev.hangup.tune.report.Markup.count;
import static dev.hangup.tune.report.Markup.escaped;
import static dev.hangup.tune.report.Markup.seconds;
import static dev.hangup.tune.report.Markup.share;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The figures behind the drawings, for who reads rather than looks, and for copying. */
final class Tables {

    private static final double[] SHARES = {0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999};

    private Tables() {}

    static String curve(Panel panel) {
        StringBuilder html = begin("The figures", "seconds", "finished", "of those who left, gone by then");
        Map<Double, String> moments = new TreeMap<>();
        for (double share : SHARES) {
            moments.putIfAbsent(panel.finished().when(share), "");
        }
        Map<String, @Nullable Double> marks = new LinkedHashMap<>();
        marks.put("floor", panel.marks().floor());
        marks.put("cap", panel.marks().cap());
        marks.put("current", panel.marks().current());
        marks.put("recommended", panel.marks().recommended());
        marks.forEach((name, at) -> {
            if (at != null) {
                moments.merge(at, name, (old, now) -> old.isEmpty() ? now : old + ", " + now);
            }
        });
        moments.forEach((at, name) -> row(
                html,
                seconds(at) + (name.isEmpty() ? "" : " (" + name + ")"),
                share(panel.finished().at(at)),
                panel.patience().isEmpty()
                        ? "none left"
                        : share(panel.patience().at(at))));
        return end(html);
    }

    static String tail(Panel.Tail tail) {
        StringBuilder html = begin("The figures", "what became of them", "calls", "part");
        double total = (double) Math.max(tail.total(), 1);
        row(html, "slow, and successful", count(tail.slow()), part(tail.slow() / total));
        row(html, "left", count(tail.departures()), part(tail.departures() / total));
        row(html, "errors", count(tail.errors()), part(tail.errors() / total));
        return end(html);
    }

    static String runs(Panel panel) {
        StringBuilder html = begin("The figures", "run", "samples", "finished", "target");
        for (Panel.Run run : panel.runs()) {
            String met = panel.meets(run.rate()) ? "met" : "missed";
            row(html, escaped(run.name()), count(run.samples()), share(run.rate()), met);
        }
        return end(html);
    }

    static String overview(List<Panel> panels) {
        StringBuilder html = new StringBuilder("<div class=\"scroll\"><table class=\"overview\">");
        head(html, "endpoint", "window", "samples", "current", "recommended", "finished", "decision");
        for (Panel panel : panels) {
            Double current = panel.marks().current();
            Double recommended = panel.marks().recommended();
            row(
                    html,
                    "<a href=\"#" + panel.anchor() + "\">" + escaped(panel.endpoint()) + "</a>",
                    escaped(panel.window()),
                    count(panel.samples()),
                    current == null ? "" : seconds(current),
                    recommended == null ? "" : seconds(recommended),
                    Double.isNaN(panel.rate()) ? "" : share(panel.rate()),
                    escaped(panel.decision().isEmpty() ? panel.note() : panel.decision()));
        }
        return html.append("</tbody></table></div>").toString();
    }

    private static String part(double part) {
        return Markup.figure(100 * part, 3) + "\u00A0%";
    }

    private static StringBuilder begin(String summary, String... columns) {
        StringBuilder html =
                new StringBuilder("<details><summary>").append(summary).append("</summary>");
        html.append("<div class=\"scroll\"><table>");
        head(html, columns);
        return html;
    }

    private static void head(StringBuilder html, String... columns) {
        html.append("<thead><tr>");
        for (String column : columns) {
            html.append("<th scope=\"col\">").append(column).append("</th>");
        }
        html.append("</tr></thead><tbody>");
    }

    private static void row(StringBuilder html, String first, String... more) {
        html.append("<tr><th scope=\"row\">").append(first).append("</th>");
        for (String cell : more) {
            html.append("<td>").append(cell).append("</td>");
        }
        html.append("</tr>");
    }

    private static String end(StringBuilder html) {
        return html.append("</tbody></table></div></details>").toString();
    }
}
