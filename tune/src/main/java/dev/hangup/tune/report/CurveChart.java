package dev.hangup.tune.report;

import static dev.hangup.tune.report.Markup.escaped;
import static dev.hangup.tune.report.Markup.figure;
import static dev.hangup.tune.report.Markup.percent;
import static dev.hangup.tune.report.Markup.seconds;
import static dev.hangup.tune.report.Markup.share;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws how many calls have finished by when, with the deadlines to be compared and the callers' patience. */
final class CurveChart {

    private static final int WIDTH = 1_000;
    private static final int HEIGHT = 400;
    private static final double HALF = 0.5;
    private static final double RIGHT = 0.6;
    private static final double NEAR_THE_END = 0.85;

    private final Panel panel;
    private final Scale x;
    private final Nines y;
    private final StringBuilder html = new StringBuilder();

    private record Mark(String name, String kind, double seconds) {}

    private CurveChart(Panel panel) {
        this.panel = panel;
        double last = Math.max(panel.finished().when(1 - 1e-4), panel.patience().when(0.9));
        for (Mark mark : marks(panel)) {
            last = Math.max(last, mark.seconds());
        }
        this.x = Scale.of(panel.finished().when(HALF), last == 0 ? 1 : last);
        this.y = Nines.of(panel.samples());
    }

    static String of(Panel panel) {
        return new CurveChart(panel).draw();
    }

    private String draw() {
        List<Mark> marks = marks(panel);
        html.append("<div class=\"chart\">");
        labels(marks);
        html.append("<div class=\"plot\"><svg viewBox=\"0 0 ")
                .append(WIDTH + " " + HEIGHT)
                .append("\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"")
                .append(escaped(summary()))
                .append("\">");
        for (double tick : y.ticks()) {
            line("grid", 0, y.at(tick), 1, y.at(tick));
        }
        if (!Double.isNaN(panel.target())) {
            line("target", 0, y.at(panel.target()), 1, y.at(panel.target()));
        }
        path(panel.finished());
        html.append("</svg>");
        for (Mark mark : marks) {
            place("<i class=\"mark " + mark.kind() + "\" style=\"left:", x.at(mark.seconds()), "\"></i>");
        }
        dot();
        target();
        axes();
        html.append("</div>");
        patience();
        return html.append("</div>").toString();
    }

    /** Those at one place share a label. */
    private static List<Mark> marks(Panel panel) {
        List<Mark> marks = new ArrayList<>();
        add(marks, "floor", "bound", panel.marks().floor());
        add(marks, "cap", "bound", panel.marks().cap());
        add(marks, "current", "current", panel.marks().current());
        add(marks, "recommended", "recommended", panel.marks().recommended());
        return marks;
    }

    private static void add(List<Mark> marks, String name, String kind, @Nullable Double seconds) {
        if (seconds == null) {
            return;
        }
        String names = name;
        for (Mark mark : List.copyOf(marks)) {
            if (mark.seconds() == seconds) {
                marks.remove(mark);
                names = mark.name() + " and " + name;
            }
        }
        marks.add(new Mark(names, kind, seconds));
    }

    /** Each in a row of its own, in such an order that no label stands in the way of another's line. */
    private void labels(List<Mark> marks) {
        List<Mark> left = marks.stream()
                .filter(mark -> x.at(mark.seconds()) < HALF)
                .sorted(Comparator.comparingDouble(Mark::seconds))
                .toList();
        List<Mark> right = marks.stream()
                .filter(mark -> x.at(mark.seconds()) >= HALF)
                .sorted(Comparator.comparingDouble(Mark::seconds).reversed())
                .toList();
        html.append("<div class=\"labels\">");
        left.forEach(mark -> label(mark, "right"));
        right.forEach(mark -> label(mark, "left"));
        html.append("</div>");
    }

    /** Its line begins beside its text and goes down to the plot. */
    private void label(Mark mark, String side) {
        html.append("<div class=\"row\">");
        place("<i class=\"lead " + mark.kind() + "\" style=\"left:", x.at(mark.seconds()), "\"></i>");
        String anchor = side.equals("right") ? "left:" : "right:";
        double at = side.equals("right") ? x.at(mark.seconds()) : 1 - x.at(mark.seconds());
        place("<b class=\"" + mark.kind() + "\" style=\"" + anchor, at, "\">");
        html.append(mark.name()).append(' ').append(seconds(mark.seconds())).append("</b></div>");
    }

    private void path(Curve curve) {
        StringBuilder path = new StringBuilder("M0 " + HEIGHT);
        double lastX = 0;
        double lastY = HEIGHT;
        for (Curve.Point point : curve.points()) {
            double toX = x.at(point.seconds()) * WIDTH;
            double toY = (1 - y.at(point.share())) * HEIGHT;
            // Steps that no eye could tell apart are drawn as one.
            boolean seen = toX - lastX >= 2 || lastY - toY >= 2;
            if (seen || point.seconds() == curve.last()) {
                path.append('H').append(figure(toX, 4)).append('V').append(figure(toY, 4));
                lastX = toX;
                lastY = toY;
            }
        }
        path.append('H').append(WIDTH);
        html.append("<path class=\"area\" d=\"").append(path).append("V" + HEIGHT + "H0Z\"/>");
        html.append("<path class=\"curve\" d=\"").append(path).append("\"/>");
    }

    /** Where the recommended deadline meets the curve. */
    private void dot() {
        Double recommended = panel.marks().recommended();
        if (recommended == null || Double.isNaN(panel.rate())) {
            return;
        }
        double at = x.at(recommended);
        place("<i class=\"dot\" style=\"left:", at, "");
        place(";top:", 1 - y.at(panel.rate()), "\"></i>");
        place("<b class=\"rate " + (at < NEAR_THE_END ? "after" : "before") + "\" style=\"left:", at, "");
        place(";top:", 1 - y.at(panel.rate()), "\">");
        html.append(share(panel.rate())).append("</b>");
    }

    /** On the right below its line, where the curve is high above; on the left above it if a mark stands there. */
    private void target() {
        if (Double.isNaN(panel.target())) {
            return;
        }
        boolean taken = marks(panel).stream().anyMatch(mark -> x.at(mark.seconds()) > RIGHT);
        place("<span class=\"asked " + (taken ? "left" : "right") + "\" style=\"top:", 1 - y.at(panel.target()), "\">");
        html.append(share(panel.target())).append(" asked for</span>");
    }

    private void axes() {
        for (double tick : y.ticks()) {
            // Where both begin at nothing, one nothing in the corner is enough.
            if (tick > 0 || x.logarithmic()) {
                place("<span class=\"y\" style=\"top:", 1 - y.at(tick), "\">");
                html.append(tick == 0 ? "0" : share(tick)).append("</span>");
            }
        }
        for (double tick : x.ticks()) {
            place("<span class=\"x\" style=\"left:", x.at(tick), "\">");
            html.append(tick == 0 ? "0" : seconds(tick)).append("</span>");
        }
    }

    /** From who left early to who left late, and the middle one. */
    private void patience() {
        if (panel.patience().isEmpty()) {
            return;
        }
        double early = x.at(panel.patience().when(0.1));
        double late = x.at(panel.patience().when(0.9));
        double middle = panel.patience().when(HALF);
        html.append("<div class=\"patience\"><div class=\"span\">");
        place("<i style=\"left:", early, "");
        place(";width:", Math.max(late - early, 0.004), "\"></i>");
        place("<em style=\"left:", x.at(middle), "\"></em></div><span>");
        html.append(Markup.count(panel.departures()))
                .append(panel.departures() == 1 ? " caller" : " callers")
                .append(" left, half of them by ")
                .append(seconds(middle))
                .append("</span></div>");
    }

    private void line(String kind, double x1, double y1, double x2, double y2) {
        html.append("<line class=\"").append(kind).append('"');
        html.append(" x1=\"").append(figure(x1 * WIDTH, 4)).append("\" y1=\"").append(figure((1 - y1) * HEIGHT, 4));
        html.append("\" x2=\"").append(figure(x2 * WIDTH, 4)).append("\" y2=\"").append(figure((1 - y2) * HEIGHT, 4));
        html.append("\"/>");
    }

    private void place(String before, double part, String after) {
        html.append(before).append(percent(part)).append(after);
    }

    private String summary() {
        Double recommended = panel.marks().recommended();
        return "The share of calls that have finished, by seconds. "
                + (recommended == null
                        ? "There is no recommendation."
                        : seconds(recommended) + " is recommended; " + share(panel.rate()) + " would finish in it.");
    }
}
