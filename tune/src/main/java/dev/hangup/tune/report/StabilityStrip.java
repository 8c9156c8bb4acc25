package dev.hangup.tune.report;

import static dev.hangup.tune.report.Markup.escaped;
import static dev.hangup.tune.report.Markup.percent;
import static dev.hangup.tune.report.Markup.share;

import java.util.Comparator;
import java.util.List;

/** Draws how the recommended deadline would have done in each run, one dot for each in their order. */
final class StabilityStrip {

    private StabilityStrip() {}

    static String of(Panel panel) {
        List<Panel.Run> runs = panel.runs();
        if (runs.isEmpty()) {
            return "<p class=\"none\">No run has enough samples to be judged by itself.</p>";
        }
        Nines y = Nines.of(runs.stream().mapToLong(Panel.Run::samples).max().orElse(1));
        StringBuilder html = new StringBuilder("<div class=\"strip\" role=\"img\" aria-label=\"")
                .append(escaped(summary(panel)))
                .append("\">");
        if (!Double.isNaN(panel.target())) {
            html.append("<hr style=\"top:")
                    .append(percent(1 - y.at(panel.target())))
                    .append("\">");
        }
        for (int i = 0; i < runs.size(); i++) {
            Panel.Run run = runs.get(i);
            html.append("<i class=\"").append(panel.meets(run.rate()) ? "met" : "missed");
            html.append("\" style=\"left:").append(percent((i + 0.5) / runs.size()));
            html.append(";top:").append(percent(1 - y.at(run.rate())));
            html.append("\" title=\"")
                    .append(escaped(run.name()))
                    .append(", ")
                    .append(share(run.rate()))
                    .append("\"></i>");
        }
        return html.append("</div><p class=\"said\">")
                .append(escaped(summary(panel)))
                .append("</p>")
                .toString();
    }

    private static String summary(Panel panel) {
        List<Panel.Run> runs = panel.runs();
        long meeting = runs.stream().filter(run -> panel.meets(run.rate())).count();
        Panel.Run worst =
                runs.stream().min(Comparator.comparingDouble(Panel.Run::rate)).orElseThrow();
        Panel.Run best =
                runs.stream().max(Comparator.comparingDouble(Panel.Run::rate)).orElseThrow();
        String asked = Double.isNaN(panel.target()) ? "the target" : share(panel.target());
        return meeting + " of " + runs.size() + (runs.size() == 1 ? " run " : " runs ")
                + (runs.size() == 1 || meeting == 1 ? "meets " : "meet ") + asked + "; worst " + share(worst.rate())
                + " (" + worst.name() + "), best " + share(best.rate());
    }
}
