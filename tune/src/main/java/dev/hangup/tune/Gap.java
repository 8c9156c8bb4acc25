package dev.hangup.tune;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The arithmetic of a timeout pair. */
@Command(
        name = "gap",
        description = "What a server's deadline and its callers' timeout cost together.",
        mixinStandardHelpOptions = true)
final class Gap implements Callable<Integer> {

    private static final int MOST_ATTEMPTS = 1_000;

    @Spec
    @Nullable
    CommandSpec spec;

    @Option(names = "--rps", required = true, paramLabel = "N", description = "Requests per second.")
    BigDecimal rps = BigDecimal.ZERO;

    @Option(names = "--slow", required = true, paramLabel = "SHARE", description = "The slow part: 8%% or 0.08.")
    Share slow = new Share(BigDecimal.ZERO);

    @Option(names = "--server", required = true, paramLabel = "SPAN", description = "The server's deadline.")
    Duration server = Duration.ZERO;

    @Option(names = "--client", required = true, paramLabel = "SPAN", description = "How long callers wait.")
    Duration client = Duration.ZERO;

    @Option(names = "--pool", required = true, paramLabel = "N", description = "Connections.")
    int pool;

    @Option(names = "--slowest", paramLabel = "SPAN", description = "What the slowest legitimate answer takes.")
    @Nullable
    Duration slowest;

    @Option(
            names = "--work",
            paramLabel = "SPAN",
            description = "What slow work takes; else as long as the server lets it.")
    @Nullable
    Duration work;

    @Option(names = "--attempts", paramLabel = "N", description = "How often a caller tries. Default: 4.")
    int attempts = 4;

    @Option(names = "--server-cancels", description = "The server stops when its caller has left.")
    boolean cancels;

    @Option(names = "--json", description = "Print JSON.")
    boolean json;

    @Override
    public Integer call() {
        check(rps.signum() >= 0, "--rps must not be below zero");
        check(rps.precision() - rps.scale() <= 12 && rps.scale() <= 12, "--rps is out of range");
        check(pool >= 1, "--pool must be at least 1");
        check(attempts >= 1 && attempts <= MOST_ATTEMPTS, "--attempts must be from 1 to " + MOST_ATTEMPTS);
        GapArithmetic gap = new GapArithmetic(rps, slow, server, client, pool, work, cancels);
        GapJudgement judgement = GapJudgement.of(server, client, slowest);
        List<GapOption> options = GapOption.of(gap, slowest);
        String text = json
                ? Json.indented(GapJson.of(gap, attempts, judgement, options)) + System.lineSeparator()
                : GapTable.of(gap, attempts, judgement, options);
        spec().commandLine().getOut().print(text);
        return Tune.DONE;
    }

    private void check(boolean holds, String problem) {
        if (!holds) {
            throw new ParameterException(spec().commandLine(), problem);
        }
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }
}
