package dev.hangup.tune;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Deadlines from access logs. */
@Command(
        name = "recommend",
        description = "Which deadlines the calls in access logs would have needed.",
        mixinStandardHelpOptions = true)
final class Recommend implements Callable<Integer> {

    @Spec
    @Nullable
    CommandSpec spec;

    @Mixin
    Evidence evidence = new Evidence();

    @Option(names = "--policy", paramLabel = "FILE", description = "Windows, endpoints and the values in force.")
    @Nullable
    Path policy;

    @Option(names = "--json", description = "Print JSON.")
    boolean json;

    @Override
    public Integer call() {
        List<Recommendation> found =
                evidence.findings(policy).stream().map(Finding::recommendation).toList();
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        if (json) {
            out.println(RecommendationJson.write(found));
        } else {
            out.print(RecommendationTable.of(found));
        }
        return found.stream().anyMatch(each -> each.recommended() != null) ? Tune.DONE : Tune.NO_RECOMMENDATION;
    }
}
