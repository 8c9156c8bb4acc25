package dev.hangup.demo;

import static dev.hangup.demo.Table.number;
import static dev.hangup.demo.Table.percent;

import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * All that the demo has found.
 *
 * @param results by the phase's name
 * @param addedWithout seconds of unowned work that one slow request adds by all its attempts, without Hangup
 * @param addedWith the same with it
 */
record Report(Scenario scenario, Map<String, Result> results, double addedWithout, double addedWith) {
    private static final String NONE = "-";
    private static final String NOTE =
            "The books count from when a caller closes its socket, Hangup from when it sees that.";

    /** The arithmetic that the load is held against. */
    Arithmetic predicted() {
        return scenario.arithmetic(Scenario.SLOW_SHARE);
    }

    Figures steady(String phase) {
        return result(phase).steady();
    }

    Result result(String phase) {
        return Objects.requireNonNull(results.get(phase), phase);
    }

    Agreement agreement() {
        return new Agreement(
                result(Phase.OBSERVE),
                result(Phase.WITH),
                results.values().stream()
                        .filter(result -> result.phase().application().equals(Applications.WITH))
                        .toList(),
                scenario.pool());
    }

    @Override
    public String toString() {
        return scenario.describe() + "\n\n" + comparison() + '\n' + agreement().table() + NOTE + '\n';
    }

    private Table comparison() {
        Arithmetic predicted = predicted();
        double predictedAdded = Arithmetic.seconds(predicted.addedBy(Scenario.ATTEMPTS));
        return new Table()
                .row("", "predicted", "without", "with Hangup")
                .row(
                        "unowned calls in flight",
                        number(predicted.unownedInFlight()),
                        mainNumber(Figures::unownedInFlight))
                .row("pool share held for nobody", percent(predicted.poolShare()), mainShare(Figures::poolShare))
                .row(
                        "connections free for others",
                        number(predicted.poolAvailable()),
                        mainNumber(Figures::poolAvailable))
                .row(
                        "requests/s these can serve (arithmetic only)",
                        "" + predicted.servablePerSecond(),
                        both(NONE, NONE))
                .row("fast requests served in time", NONE, mainShare(Figures::servedInTimeShare))
                .row("transactions committed for nobody", NONE, both(committed(Phase.WITHOUT), committed(Phase.WITH)))
                .row(
                        "unowned seconds added by " + Scenario.ATTEMPTS + " attempts",
                        number(predictedAdded),
                        both(number(addedWithout), number(addedWith)))
                .row("")
                .row("nothing slow (null control)")
                .row(
                        "  fast requests served in time",
                        percent(1),
                        shares(Phase.NULL_WITHOUT, Phase.NULL_WITH, Figures::servedInTimeShare))
                .row("")
                .row("callers try up to " + Scenario.ATTEMPTS + " times")
                .row(
                        "  pool share held for nobody",
                        NONE,
                        shares(Phase.RETRY_WITHOUT, Phase.RETRY_WITH, Figures::poolShare))
                .row(
                        "  fast attempts served in time",
                        NONE,
                        shares(Phase.RETRY_WITHOUT, Phase.RETRY_WITH, Figures::servedInTimeShare));
    }

    private String[] mainNumber(ToDoubleFunction<Figures> figure) {
        return both(
                number(figure.applyAsDouble(steady(Phase.WITHOUT))), number(figure.applyAsDouble(steady(Phase.WITH))));
    }

    private String[] mainShare(ToDoubleFunction<Figures> figure) {
        return shares(Phase.WITHOUT, Phase.WITH, figure);
    }

    private String[] shares(String without, String with, ToDoubleFunction<Figures> figure) {
        return both(percent(figure.applyAsDouble(steady(without))), percent(figure.applyAsDouble(steady(with))));
    }

    private String committed(String phase) {
        return String.valueOf(steady(phase).committedForNobody());
    }

    private static String[] both(String without, String with) {
        return new String[] {without, with};
    }
}
