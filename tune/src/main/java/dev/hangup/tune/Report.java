package dev.hangup.tune;

import dev.hangup.tune.report.Page;
import dev.hangup.tune.report.Panel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows what recommendations rest on. */
@Command(
        name = "report",
        description = "Draws what recommendations rest on: one page of HTML that needs no network.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class Report implements Callable<Integer> {

    @Spec
    @Nullable
    CommandSpec spec;

    @Mixin
    Evidence evidence = new Evidence();

    @Option(names = "--html", required = true, description = "A page of HTML: there is no other form yet.")
    boolean html;

    @Option(names = "--policy", paramLabel = "FILE", description = "The policy file: its windows and values in force.")
    @Nullable
    Path policy;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Where the page goes, instead of to standard output.")
    @Nullable
    Path output;

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        if (!evidence.given()) {
            throw new ParameterException(command.commandLine(), "no evidence: name the logs");
        }
        List<Finding> findings = evidence.findings(policy);
        List<Panel> panels = findings.stream().map(ReportPanel::of).toList();
        String page = Page.of(panels, subtitle(findings));
        if (output == null) {
            command.commandLine().getOut().print(page);
        } else {
            write(output, page);
        }
        if (findings.stream().allMatch(it -> it.recommendation().recommended() == null)) {
            throw new NoRecommendation("no recommendation has a value: " + findings.size() + " are on the page");
        }
        return Tune.DONE;
    }

    private String subtitle(List<Finding> findings) {
        long calls = findings.stream()
                .mapToLong(it -> it.successes().total()
                        + it.departures().total()
                        + it.errors().total())
                .sum();
        return String.format(java.util.Locale.ROOT, "%,d calls", calls).replace(',', '\u202F')
                + (policy == null ? "" : ", policy " + policy);
    }

    private static void write(Path output, String page) {
        try {
            Files.writeString(output, page);
        } catch (IOException failed) {
            throw new UnreadableInput(output + " cannot be written: " + failed, failed);
        }
    }
}
