package dev.hangup.tune.report;

import static dev.hangup.tune.report.Markup.count;
import static dev.hangup.tune.report.Markup.percent;

/** Draws of what the tail is made: whether a longer wait would help anybody. */
final class TailBar {

    private TailBar() {}

    static String of(Panel.Tail tail) {
        if (tail.total() == 0) {
            return "<p class=\"none\">There is no tail.</p>";
        }
        StringBuilder html = new StringBuilder("<div class=\"tail\" role=\"img\" aria-label=\"")
                .append(tail.slow() + " slow successes, " + tail.departures() + " departures, " + tail.errors()
                        + " errors")
                .append("\">");
        part(html, "slow", tail.slow(), tail.total());
        part(html, "left", tail.departures(), tail.total());
        part(html, "errors", tail.errors(), tail.total());
        html.append("</div><ul class=\"key\">");
        key(html, "slow", tail.slow(), "slow, and successful: worth the wait");
        key(html, "left", tail.departures(), "left: what they waited for is not known");
        key(html, "errors", tail.errors(), "errors: no deadline rescues them");
        return html.append("</ul>").toString();
    }

    private static void part(StringBuilder html, String kind, long size, long total) {
        if (size > 0) {
            html.append("<i class=\"").append(kind).append("\" style=\"width:");
            html.append(percent((double) size / total)).append("\"></i>");
        }
    }

    private static void key(StringBuilder html, String kind, long size, String text) {
        if (size > 0) {
            html.append("<li><i class=\"").append(kind).append("\"></i><b>").append(count(size));
            html.append("</b> ").append(text).append("</li>");
        }
    }
}
