package dev.hangup.tune.report;

import static dev.hangup.tune.report.Markup.count;
import static dev.hangup.tune.report.Markup.escaped;
import static dev.hangup.tune.report.Markup.seconds;
import static dev.hangup.tune.report.Markup.share;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** All that was found, as one page that needs nothing but itself. */
public final class Page {

    private static final String POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

    private Page() {}

    /**
     * The page as HTML.
     *
     * @param panels in the order in which they are shown
     * @param source what was read, for the page's head
     */
    public static String of(List<Panel> panels, String source) {
        StringBuilder html = new StringBuilder("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
                .append("<meta name=\"color-scheme\" content=\"light dark\">")
                .append("<meta http-equiv=\"Content-Security-Policy\" content=\"" + POLICY + "\">")
                .append("<link rel=\"icon\" href=\"data:,\">")
                .append("<title>Deadlines and what they rest on</title><style>")
                .append(style())
                .append("</style></head>\n<body><header><h1>Deadlines and what they rest on</h1><p>")
                .append(escaped(source))
                .append("</p></header>\n<main>");
        html.append(panels.isEmpty() ? "<p>Nothing was found.</p>" : Tables.overview(panels));
        panels.forEach(panel -> section(html, panel));
        return html.append("</main></body></html>\n").toString();
    }

    private static void section(StringBuilder html, Panel panel) {
        html.append("\n<section id=\"").append(panel.anchor()).append("\"><h2>");
        html.append(escaped(panel.endpoint())).append(" <small>").append(escaped(panel.window()));
        html.append("</small></h2><p class=\"verdict\">").append(verdict(panel)).append("</p>");
        if (panel.finished().isEmpty()) {
            html.append("</section>");
            return;
        }
        html.append("<figure><figcaption>Calls finished, by how long one waits ");
        html.append("<small>each line up is a tenth of the misses</small></figcaption>");
        html.append(CurveChart.of(panel)).append(Tables.curve(panel)).append("</figure>");
        html.append("<div class=\"pair\"><figure><figcaption>What the tail is made of</figcaption>");
        html.append(TailBar.of(panel.tail()));
        html.append(panel.tail().total() == 0 ? "" : Tables.tail(panel.tail())).append("</figure>");
        html.append("<figure><figcaption>Run by run, with what is recommended</figcaption>");
        html.append(StabilityStrip.of(panel));
        html.append(panel.runs().isEmpty() ? "" : Tables.runs(panel)).append("</figure></div></section>");
    }

    private static String verdict(Panel panel) {
        StringBuilder text = new StringBuilder();
        Double recommended = panel.marks().recommended();
        Double current = panel.marks().current();
        if (recommended == null) {
            text.append("No recommendation");
        } else {
            text.append("<b>").append(seconds(recommended)).append("</b>");
            text.append(
                    current == null
                            ? ""
                            : current.equals(recommended)
                                    ? ", as now"
                                    : panel.decision().equals("keep")
                                            ? ", but " + seconds(current) + " stays"
                                            : " instead of " + seconds(current));
            if (!Double.isNaN(panel.rate())) {
                text.append("; ").append(share(panel.rate())).append(" would finish");
                text.append(Double.isNaN(panel.target()) ? "" : ", " + share(panel.target()) + " asked for");
            }
        }
        text.append("; ").append(count(panel.samples())).append(panel.samples() == 1 ? " sample" : " samples");
        text.append('.');
        if (!panel.note().isEmpty()) {
            text.append(" <em>").append(escaped(panel.note())).append(".</em>");
        }
        String decision = panel.decision().isEmpty() ? "" : panel.decision() + ": ";
        return panel.reason().isEmpty()
                ? text.toString()
                : text.append(' ')
                        .append(escaped(decision + panel.reason()))
                        .append('.')
                        .toString();
    }

    private static String style() {
        try (InputStream in = Objects.requireNonNull(Page.class.getResourceAsStream("report.css"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
