package dev.hangup.tune;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is looked for: a group of options. */
final class Aim {

    @Option(names = "--floor", paramLabel = "SPAN", description = "The least value. Default for sources: 1500ms.")
    @Nullable
    Duration floor;

    @Option(names = "--cap", paramLabel = "SPAN", description = "The highest value. Default for sources: 3s.")
    @Nullable
    Duration cap;

    @Option(names = "--step", paramLabel = "SPAN", description = "From one value to the next. Default: 100ms.")
    Duration step = Duration.ofMillis(100);

    @Option(
            names = "--headroom",
            paramLabel = "FACTOR",
            description = "For endpoints without a floor: what the slowest success is multiplied with. Default: 1.2.")
    double headroom = 1.2;

    @Option(
            names = "--target",
            paramLabel = "SHARE",
            description = "The part of the calls that has to finish. Default: 0.99.")
    @Nullable
    Share target;

    @Option(names = "--window-target", paramLabel = "SHARE", description = "The same in windows. Default: 0.995.")
    @Nullable
    Share windowTarget;

    @Option(names = "--fan-out", paramLabel = "N", description = "Calls of one fetch, which all have to finish.")
    int fanOut = 1;

    @Option(names = "--min-samples", paramLabel = "N", description = "Fewer say nothing. Default: 100.")
    int minSamples = 100;

    Search search(By by) {
        if (headroom < 1 || headroom > 100) {
            throw new IllegalArgumentException("--headroom must be from 1 to 100");
        }
        boolean source = by != By.ENDPOINT;
        boolean searched = source || target != null || windowTarget != null;
        Duration first = floor != null ? floor : source ? Duration.ofMillis(1_500) : searched ? step : null;
        Duration last = cap != null ? cap : source ? Duration.ofSeconds(3) : null;
        if (first != null && last != null && first.compareTo(last) > 0) {
            throw new IllegalArgumentException("--floor must not be above --cap");
        }
        return new Search(
                first == null ? null : millis("--floor", first),
                last == null ? null : millis("--cap", last),
                millis("--step", step),
                headroom);
    }

    Targets targets() {
        if (fanOut < 1 || fanOut > 10_000) {
            throw new IllegalArgumentException("--fan-out must be from 1 to 10000");
        }
        if (minSamples < 1) {
            throw new IllegalArgumentException("--min-samples must be at least 1");
        }
        double normal = target == null ? 0.99 : target.value();
        double named = windowTarget != null ? windowTarget.value() : Math.max(normal, 0.995);
        return new Targets(normal, named, fanOut, minSamples);
    }

    private static long millis(String option, Duration span) {
        if (span.toNanosPart() % 1_000_000 != 0) {
            throw new IllegalArgumentException(option + " must be whole milliseconds");
        }
        return span.toMillis();
    }
}
