package dev.hangup.tune;

import dev.hangup.tune.report.Curve;
import dev.hangup.tune.report.Panel;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A finding as a page shows it. */
final class ReportPanel {

    private ReportPanel() {}

    static Panel of(Finding finding) {
        Recommendation it = finding.recommendation();
        Histogram left = finding.departures();
        return new Panel(
                it.endpoint(),
                it.window(),
                it.samples(),
                curve(finding.successes(), left),
                curve(left, new Histogram()),
                left.total(),
                new Panel.Marks(
                        Json.seconds(finding.floor()),
                        Json.seconds(finding.cap()),
                        Json.seconds(it.current()),
                        Json.seconds(it.recommended())),
                number(it.estimatedSuccessRate()),
                number(it.more().get("target")),
                it.issue() == null ? "" : it.issue().key().replace('_', ' '),
                it.more().get("reason") instanceof String reason ? reason : "",
                it.decision() == null ? "" : it.decision().key(),
                new Panel.Tail(it.tail().errors(), it.tail().slow(), it.tail().departures()),
                finding.runs().stream()
                        .map(run -> new Panel.Run(run.name(), run.samples(), run.rate()))
                        .toList());
    }

    private static Curve curve(Histogram events, Histogram censored) {
        int[] millis = IntStream.concat(IntStream.of(events.values()), IntStream.of(censored.values()))
                .sorted()
                .distinct()
                .toArray();
        return Curve.of(
                IntStream.of(millis).mapToDouble(at -> at / 1e3).toArray(),
                IntStream.of(millis).mapToLong(events::count).toArray(),
                IntStream.of(millis).mapToLong(censored::count).toArray());
    }

    private static double number(@Nullable Object value) {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }
}
